require "test/unit"
class Base
def greet(name = "you", *rest, k: 1, &b) = "hi #{name}"
def self.build = new
protected def prot = 1
private def priv = 2
end

class TestMethod < Test::Unit::TestCase
  def test_method_objects
    m = Base.new.method(:greet)
    assert_equal ["hi you", "hi me"], [m.call, m.("me")]
    assert_equal [:greet, Base, -1], [m.name, m.owner, m.arity]
    assert_equal [[:opt, :name], [:rest, :rest], [:key, :k], [:block, :b]], m.parameters
    assert_equal [2, 4], [1, 3].map(&1.method(:+))
    assert_raise_with_message(NameError, /\Aundefined method 'nope' for/) { Base.new.method(:nope) }
  end

  def test_unbound_methods
    um = Array.instance_method(:size)
    assert_equal [2, 3], [um.bind([1, 2]).call, um.bind_call([1, 2, 3])]
    assert_raise_with_message(TypeError, "bind argument must be an instance of Array") { um.bind("x") }
    assert_equal 5, 2.method(:+).unbind.bind(4).call(1)
  end

  def test_visibility
    b = Base.new
    assert_raise_with_message(NoMethodError, "private method 'priv' called for an instance of Base") { b.priv }
    assert_raise_with_message(NoMethodError, "protected method 'prot' called for an instance of Base") { b.prot }
    assert_equal [2, 1], [b.send(:priv), b.__send__(:prot)]
    assert_raise(NoMethodError) { b.public_send(:priv) }
    assert_equal [false, true, false], [b.respond_to?(:priv), b.respond_to?(:priv, true), b.respond_to?(:prot)]
  end

  def test_method_missing
    c = Class.new do
      def method_missing(name, *args, &block)
        name.end_with?("?") ? [name, args, block&.call] : super
      end
      def respond_to_missing?(name, all = false) = name.end_with?("?") || super
    end
    assert_equal [:x?, [1], 2], c.new.x?(1) { 2 }
    assert_equal [true, false], [c.new.respond_to?(:y?), c.new.respond_to?(:y)]
    assert_equal [:z?, [3], nil], c.new.method(:z?).call(3)
    e = assert_raise(NoMethodError) { c.new.foo(1) }
    assert_equal [:foo, [1]], [e.name, e.args]
  end

  def test_super
    sub = Class.new(Base) do
      def greet(name = "sub", *) = super.upcase
    end
    assert_equal ["HI SUB", "HI X"], [sub.new.greet, sub.new.greet("x")]
    assert_equal Base.instance_method(:greet), sub.instance_method(:greet).super_method
  end

  def test_define_method
    c = Class.new do
      define_method(:a) { |x, y = 2| [x, y] }
      define_method(:b, instance_method(:a))
      define_method(:c, &->(x) { x })
    end
    assert_equal [[1, 2], [1, 3], 4], [c.new.a(1), c.new.b(1, 3), c.new.c(4)]
    assert_raise(ArgumentError) { c.new.a }
    assert_equal :m, c.define_method(:m) { }
  end

  def test_alias_and_redefinition
    c = Class.new do
      def a = 1
      alias b a
      alias_method :c, :a
      def a = 2
    end
    assert_equal [2, 1, 1], [c.new.a, c.new.b, c.new.c]
    c.class_eval { remove_method :b; undef_method :c }
    assert_raise(NoMethodError) { c.new.b }
    assert_raise(NameError) { c.class_eval { remove_method :zz } }
  end

  def test_argument_errors
    def self.m(a, b = 1, *c, d, k:, o: 2) = [a, b, c, d, k, o]
    assert_equal [1, 1, [], 2, 3, 2], m(1, 2, k: 3)
    assert_equal [1, 2, [3], 4, 5, 6], m(1, 2, 3, 4, k: 5, o: 6)
    assert_raise_with_message(ArgumentError, "wrong number of arguments (given 1, expected 2+; required keyword: k)") { m(1) }
    assert_raise_with_message(ArgumentError, "missing keyword: :k") { m(1, 2) }
    assert_raise_with_message(ArgumentError, "unknown keyword: :z") { m(1, 2, k: 1, z: 2) }
  end

  def test_keyword_passing
    def self.opt(h = {}, **k) = [h, k]
    def self.rest(*a) = a
    def self.none(**nil) = 1
    assert_equal [[{}, {a: 1}], [{a: 1}, {}], [{"s" => 1}, {}]], [opt(a: 1), opt({a: 1}), opt({"s" => 1})]
    assert_equal [{}, {"s" => 1}], opt("s" => 1)
    assert_equal [[{a: 1}], []], [rest(a: 1), rest(**{})]
    assert_raise_with_message(ArgumentError, "no keywords accepted") { none(a: 1) }
    def self.fwd(...) = opt(...)
    assert_equal [{}, {z: 1}], fwd(z: 1)
  end

  def test_to_proc_and_composition
    assert_equal %w[1 2], [1, 2].map(&method(:String))
    assert_equal 4, (1.method(:+) >> 2.method(:*)).call(1)
    assert_predicate method(:puts).to_proc, :lambda?
    assert_equal 1.method(:+), 1.method(:+)
  end

  def test_singleton_methods
    o = Object.new
    def o.a = 1
    o.define_singleton_method(:b) { 2 }
    assert_equal [[:a, :b], 1, 2], [o.singleton_methods.sort, o.a, o.singleton_method(:b).call]
    assert_raise(TypeError) { 1.singleton_class }
  end

  def test_endless_and_operator_definitions
    c = Class.new do
      attr_reader :v
      def initialize(v) = @v = v
      def +(o) = self.class.new(v + o.v)
      def -@ = self.class.new(-v)
      def [](i) = v * i
      def call(x) = x
      def ==(o) = v == o.v
    end
    assert_equal [3, -1, 4, 9], [(c.new(1) + c.new(2)).v, (-c.new(1)).v, c.new(2)[2], c.new(1).(9)]
    assert_equal true, c.new(1) == c.new(1)
    assert_equal false, c.new(1) != c.new(1)
  end
end
