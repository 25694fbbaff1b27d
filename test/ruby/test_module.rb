require "test/unit"
module Greeting
GREETING = "hi"
def greet = "#{GREETING} #{name}"
end

module RefinementUser
  module Changed
    refine(String) { def refined? = "refined" }
  end
  def self.plain = "".respond_to?(:refined?) ? "leaked" : "plain"
  using Changed
  def self.refined = "".refined?
end

class TestModule < Test::Unit::TestCase
  def test_include_and_ancestors
    c = Class.new { include Greeting; def name = "c" }
    assert_equal ["hi c", true, true, Greeting], [c.new.greet, c.include?(Greeting), c.new.is_a?(Greeting), c.ancestors[1]]
    assert_equal [true, false, true], [c < Greeting, Greeting < c, Greeting > c]
    assert_nil String <=> Integer
  end

  def test_prepend
    loud = Module.new { def to_s = super.upcase }
    c = Class.new { prepend loud; def to_s = "quiet" }
    assert_equal ["QUIET", loud], [c.new.to_s, c.ancestors[0]]
  end

  def test_extend
    o = Object.new
    def o.name = "o"
    assert_same o, o.extend(Greeting)
    assert_equal ["hi o", [Greeting]], [o.greet, o.singleton_class.included_modules - Object.included_modules]
  end

  def test_hooks
    log = []
    m = Module.new
    m.define_singleton_method(:included) { |b| log << [:included, b] }
    m.define_singleton_method(:extended) { |b| log << [:extended, b.class] }
    m.define_singleton_method(:prepended) { |b| log << [:prepended, b] }
    c = Class.new { include m; prepend m }
    Object.new.extend(m)
    assert_equal [[:included, c], [:prepended, c], [:extended, Object]], log
  end

  def test_constants
    m = Module.new
    assert_equal 1, m.const_set(:ONE, 1)
    assert_equal [1, [:ONE], true, false], [m.const_get(:ONE), m.constants, m.const_defined?(:ONE), m.const_defined?(:TWO)]
    assert_equal 1, m.send(:remove_const, :ONE)
    assert_raise(NameError) { m.const_get(:ONE) }
    assert_raise_with_message(NameError, "wrong constant name lower") { m.const_set(:lower, 1) }
    assert_equal Math::PI, Object.const_get("Math::PI")
    def m.const_missing(n) = "no #{n}"
    assert_equal "no Zed", m::Zed
  end

  def test_names
    m = Module.new
    assert_nil m.name
    TestModule.const_set(:Named, m)
    assert_equal ["TestModule::Named", "TestModule::Named"], [m.name, m.to_s]
    assert_match(/\A#<Module:0x\h+>\z/, Module.new.inspect)
  end

  def test_method_tables
    m = Module.new do
      def a = 1
      private def b = 2
      protected def c = 3
    end
    assert_equal [[:a, :c], [:b], [:c], [:a]], [m.instance_methods.sort, m.private_instance_methods, m.protected_instance_methods, m.public_instance_methods]
    assert_equal [true, false, true], [m.method_defined?(:a), m.method_defined?(:b), m.private_method_defined?(:b)]
    m.module_eval { remove_method :a }
    assert_equal false, m.method_defined?(:a)
  end

  def test_module_function
    m = Module.new do
      module_function
      def helper = :h
    end
    assert_equal :h, m.helper
    assert_equal true, m.private_method_defined?(:helper)
  end

  def test_attributes
    c = Class.new do
      attr_accessor :a
      attr_reader :b
      attr_writer :c
      def initialize = (@b, @c = 2, 3)
    end
    o = c.new
    o.a = 1
    o.c = 9
    assert_equal [1, 2, 9], [o.a, o.b, o.instance_variable_get(:@c)]
    assert_raise(NoMethodError) { o.b = 1 }
    assert_equal [:x, :x=], Class.new.attr_accessor(:x)
  end

  def test_class_variables
    c = Class.new
    c.class_variable_set(:@@n, 1)
    assert_equal [1, [:@@n], true], [c.class_variable_get(:@@n), c.class_variables, c.class_variable_defined?(:@@n)]
    assert_raise(NameError) { c.class_variable_get(:@@zz) }
  end

  def test_eval_and_exec
    m = Module.new
    m.module_eval("def from_text = 1")
    m.module_exec(2) { |n| define_method(:from_block) { n } }
    o = Object.new.extend(m)
    assert_equal [1, 2], [o.from_text, o.from_block]
  end

  def test_refinements
    assert_equal "plain", RefinementUser.plain
    assert_equal "refined", RefinementUser.refined
  end

  def test_errors
    assert_raise_with_message(ArgumentError, "cyclic include detected") { Greeting.include(Greeting) }
    assert_raise_with_message(TypeError, "wrong argument type Class (expected Module)") { Class.new.include(String) }
    assert_raise(NoMethodError) { Greeting.new }
  end

  def test_nesting
    assert_equal [TestModule], Module.nesting
  end
end
