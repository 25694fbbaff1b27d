module Greet; def hi = "hi #{name}"; end
module Loud; def hi = super.upcase; end
class P
  include Greet
  prepend Loud
  def name = "p"
end
p P.new.hi, P.ancestors.first(3), P.include?(Greet)
# => "HI P"
# => [Loud, P, Greet]
# => true
o = Object.new
o.extend(Greet)
def o.name = "o"
p o.hi, o.is_a?(Greet), o.singleton_class.include?(Greet)
# => "hi o"
# => true
# => true
