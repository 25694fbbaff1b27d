require "test/unit"

class TestObjectspace < Test::Unit::TestCase
  def test_each_object
    c = Class.new
    keep = Array.new(3) { c.new }
    GC.start
    assert_equal 3, ObjectSpace.each_object(c).count
    assert_equal 3, keep.size
    assert_include ObjectSpace.each_object(Class).to_a, String
  end

  def test_weak_map
    m = ObjectSpace::WeakMap.new
    k, v = "k".dup, "v".dup
    m[k] = v
    assert_equal ["v", true, 1, ["k"], ["v"], nil], [m[k], m.key?(k), m.size, m.keys, m.values, m["other"]]
  end

  def test_weak_key_map
    m = ObjectSpace::WeakKeyMap.new
    k = "k".dup
    m[k] = 1
    assert_equal [1, true, k, nil], [m["k"], m.key?("k"), m.getkey("k"), m["z"]]
  end

  def test_finalizers
    assert_raise(ArgumentError) { ObjectSpace.define_finalizer("x".dup, 5) }
    assert_raise(ArgumentError) { ObjectSpace.define_finalizer(1, proc { }) }
    o = Object.new
    pr = proc { }
    assert_equal [0, pr], ObjectSpace.define_finalizer(o, pr)
    assert_same o, ObjectSpace.undefine_finalizer(o)
  end

  def test_count_and_garbage_collect
    assert_instance_of Hash, ObjectSpace.count_objects
    assert_nil ObjectSpace.garbage_collect
  end
end
