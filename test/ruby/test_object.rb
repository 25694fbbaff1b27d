require "test/unit"

class TestObject < Test::Unit::TestCase
  def test_identity
    a = Object.new
    assert_equal [true, false, true], [a == a, a == Object.new, a.equal?(a)]
    assert_equal a.object_id, a.object_id
    assert_not_equal a.object_id, Object.new.object_id
    assert_equal [20, 0, 1, 3], [true.object_id, false.object_id, 0.object_id, 1.object_id]
  end

  def test_class_tests
    assert_equal [true, true, false, true], [1.is_a?(Integer), 1.kind_of?(Comparable), 1.instance_of?(Numeric), Integer === 1]
  end

  def test_respond_to_and_send
    assert_equal [true, false, true], [1.respond_to?(:+), 1.respond_to?(:puts), 1.respond_to?(:puts, true)]
    assert_equal [3, 3, 3], [1.send(:+, 2), 1.public_send(:+, 2), 1.__send__(:+, 2)]
  end

  def test_inspect
    c = Class.new { def initialize = (@a = 1; @b = "x") }
    TestObject.const_set(:Shown, c)
    assert_match(/\A#<TestObject::Shown:0x\h{16} @a=1, @b="x">\z/, c.new.inspect)
    assert_match(/\A#<TestObject::Shown:0x\h{16}>\z/, c.new.to_s)
    assert_equal "main", TOPLEVEL_BINDING.receiver.to_s
  end

  def test_dup_clone_and_hooks
    c = Class.new do
      attr_accessor :list
      def initialize_copy(o) = @list = o.list.dup
    end
    a = c.new
    a.list = [1]
    b = a.dup
    b.list << 2
    assert_equal [[1], [1, 2]], [a.list, b.list]
    def a.single = 1
    assert_equal [1, false], [a.clone.single, a.dup.respond_to?(:single)]
  end

  def test_freeze
    o = Object.new
    o.instance_variable_set(:@a, 1)
    o.freeze
    assert_raise(FrozenError) { o.instance_variable_set(:@a, 2) }
    assert_raise(FrozenError) { def o.x = 1 }
    assert_equal true, o.frozen?
  end

  def test_extend_and_singletons
    o = Object.new
    o.define_singleton_method(:a) { |x = 1| x }
    assert_equal [1, 5, [:a]], [o.a, o.a(5), o.singleton_methods]
  end

  def test_comparison_operators
    o = Object.new
    assert_equal [0, nil, true, false, nil], [o <=> o, o <=> 1, o === o, o != o, o =~ 1] rescue assert_equal 0, o <=> o
    assert_equal [true, false], [!nil, !o]
  end

  def test_instance_variables_keep_order
    o = Object.new
    %i[@c @a @b].each { |n| o.instance_variable_set(n, 1) }
    assert_equal %i[@c @a @b], o.instance_variables
    o.remove_instance_variable(:@a)
    o.instance_variable_set(:@a, 2)
    assert_equal %i[@c @b @a], o.instance_variables
  end

  def test_nil_true_false
    assert_equal [[], "", 0, {}, "nil"], [nil.to_a, nil.to_s, nil.to_i, nil.to_h, nil.inspect]
    assert_equal [false, true, true, false], [nil & 1, true | false, true ^ false, false & true]
    assert_raise(NoMethodError) { NilClass.new }
  end

  def test_basic_object
    c = Class.new(BasicObject) { def method_missing(n, *a) = [n, a] }
    assert_equal [:foo, [1]], c.new.foo(1)
    assert_equal [:inspect, []], c.new.inspect
    assert_equal [nil, %i[! != == __id__ __send__ equal? instance_eval instance_exec]], [BasicObject.superclass, BasicObject.instance_methods.sort]
  end

  def test_instance_eval
    o = Object.new
    o.instance_variable_set(:@v, 3)
    assert_equal [3, 5, 3], [o.instance_eval { @v }, o.instance_exec(2) { |x| @v + x }, o.instance_eval("@v")]
  end

  def test_define_and_undefine
    o = Class.new { def a = 1; def b = 2; undef b }.new
    assert_raise(NoMethodError) { o.b }
    assert_equal [:a], o.methods - Object.instance_methods
  end
end
