module Outer
  module Inner
    def self.x = Module.nesting
    class K; end
  end
end
p Outer::Inner.x, Outer::Inner::K.name, Outer.constants
# => [Outer::Inner, Outer]
# => "Outer::Inner::K"
# => [:Inner]
module Outer::Inner
  p Module.nesting  # => [Outer::Inner]
end
p Outer::Inner.instance_of?(Module), Outer.class, Comparable.instance_methods.sort
# => true
# => Module
# => [:<, :<=, :==, :>, :>=, :between?, :clamp]
