o = Object.new
def o.a = 1
class << o
  def b = 2
  attr_accessor :c
  X = 5
end
o.c = 3
p [o.a, o.b, o.c, o.singleton_methods.sort, o.singleton_class::X]  # => [1, 2, 3, [:a, :b, :c, :c=], 5]
class K
  class << self
    def make = new
    private def hidden = 1
  end
end
p K.make.class, K.singleton_class.inspect, K.singleton_class?, K.singleton_class.singleton_class?
# => K
# => "#<Class:K>"
# => false
# => true
