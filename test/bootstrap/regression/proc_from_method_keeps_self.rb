class A
  def initialize = @v = 1
  def get = method(:val).to_proc
  def val(x) = @v + x
end
p [1, 2].map(&A.new.get)  # => [2, 3]
