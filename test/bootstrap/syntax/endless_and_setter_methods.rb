class A
  def v=(x)
    @v = x
    :ignored
  end
  def v = @v
  def []=(*a)
    @a = a
    :ignored
  end
  attr_reader :a
end
a = A.new
p (a.v = 5), (a[1, 2] = 3), a.a, a.send(:v=, 6), a.v
# => 5
# => 3
# => [1, 2, 3]
# => :ignored
# => 6
