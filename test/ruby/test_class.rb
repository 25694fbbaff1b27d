require "test/unit"

class TestClass < Test::Unit::TestCase
  def test_creation
    c = Class.new { def x = 1 }
    assert_equal [1, Object, nil, Class], [c.new.x, c.superclass, c.name, c.class]
    d = Class.new(c) { def y = x + 1 }
    assert_equal [2, c, true], [d.new.y, d.superclass, d < c]
    TestClass.const_set(:Named, d)
    assert_equal "TestClass::Named", d.name
  end

  def test_errors
    assert_raise_with_message(TypeError, "superclass must be an instance of Class (given an instance of Integer)") { Class.new(5) }
    assert_raise_with_message(TypeError, "can't make subclass of Class") { Class.new(Class) }
    assert_raise_with_message(TypeError, "can't make subclass of singleton class") { Class.new(Object.new.singleton_class) }
    assert_raise_with_message(TypeError, /superclass mismatch for class String/) { eval("class ::String < Integer; end") }
    assert_raise(TypeError) { BasicObject.dup.allocate; Integer.allocate }
  end

  def test_initialize_and_allocate
    c = Class.new { attr_reader :a; def initialize(a) = @a = a }
    assert_equal [1, nil], [c.new(1).a, c.allocate.a]
    assert_raise_with_message(ArgumentError, "wrong number of arguments (given 0, expected 1)") { c.new }
    assert_raise(NoMethodError) { c.new(1).initialize(2) }
  end

  def test_inherited
    log = []
    c = Class.new { define_singleton_method(:inherited) { |k| log << k; super(k) } }
    d = Class.new(c)
    assert_equal [[d], [d]], [log, c.subclasses]
  end

  def test_singleton_class
    c = Class.new { class << self; def make = new; attr_accessor :setting; end }
    c.setting = 5
    assert_equal [c, 5, true], [c.make.class, c.setting, c.singleton_class.singleton_class?]
    assert_match(/#<Class:#<Class:0x\h+>>/, c.singleton_class.inspect)
    assert_same c, c.singleton_class.attached_object
    d = Class.new(c)
    assert_equal [d, nil], [d.make.class, d.setting]
  end

  def test_constants_in_body_and_reopening
    eval("class ::TestClassTemp; A = 1; def a = A; end; class ::TestClassTemp; B = A + 1; def b = B; end")
    o = Object.const_get(:TestClassTemp).new
    assert_equal [1, 2], [o.a, o.b]
  ensure
    Object.send(:remove_const, :TestClassTemp)
  end

  def test_dup_and_clone
    c = Class.new { def x = 1; def self.s = 2 }
    d = c.dup
    d.class_eval { def x = 9 }
    assert_equal [1, 9, 2], [c.new.x, d.new.x, d.s]
  end

  def test_class_level_ivars_and_cvars
    c = Class.new { @a = 1; class << self; attr_reader :a; end }
    assert_equal 1, c.a
  end

  def test_method_lookup_changes_at_run_time
    base = Class.new { def m = :base }
    sub = Class.new(base)
    o = sub.new
    results = [o.m]
    sub.class_eval { def m = :sub }
    results << o.m
    o.singleton_class.define_method(:m) { :single }
    results << o.m
    mod = Module.new { def m = [:mod, super()] }
    o.singleton_class.prepend(mod)
    results << o.m
    sub.remove_method(:m)
    results << sub.new.m
    assert_equal [:base, :sub, :single, [:mod, :single], :base], results
  end
end
