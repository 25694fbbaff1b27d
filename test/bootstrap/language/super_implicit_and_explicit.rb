class A
  def m(a, b = 2, *c, k: 0, &d) = [a, b, c, k, d&.call]
end
class B < A
  def m(a, b = 3, *c, k: 1, &d)
    a = :changed
    super
  end
end
class C < A
  def m(*) = super(9)
end
class D < A
  def m(*, **) = super
end
p B.new.m(1), B.new.m(1, 2, 3, k: 4) { 5 }, C.new.m(1), D.new.m(1, k: 7)
# => [:changed, 3, [], 1, nil]
# => [:changed, 2, [3], 4, 5]
# => [9, 2, [], 0, nil]
# => [1, 2, [], 7, nil]
class E < A
  def m(a) = [1].map { super }
end
p E.new.m(6)  # => [[6, 2, [], 0, nil]]
class F < A
  def m(a) = super(a) { :given }
end
p F.new.m(1)  # => [1, 2, [], 0, :given]
