module M; def who = "M" + super; end
module N; def who = "N" + super; end
class A; def who = "A"; end
class B < A
  include M
  prepend N
  def who = "B" + super
end
p B.new.who, B.ancestors.take(4)
# => "NBMA"
# => [N, B, M, A]
o = B.new
def o.who = "S" + super
p o.who  # => "SNBMA"
