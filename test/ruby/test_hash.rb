require "test/unit"

class TestHash < Test::Unit::TestCase
  def test_access
    h = {a: 1, "b" => 2, 3 => [4]}
    assert_equal [1, 2, [4], nil], [h[:a], h["b"], h[3], h[:zz]]
    assert_equal [1, 0, :zz], [h.fetch(:a), h.fetch(:zz, 0), h.fetch(:zz) { |k| k }]
    e = assert_raise(KeyError) { h.fetch(:zz) }
    assert_equal ["key not found: :zz", :zz, h], [e.message, e.key, e.receiver]
    assert_equal [[1, nil], 4], [h.values_at(:a, :zz), h.dig(3, 0)]
    assert_equal [true, false, true, :a], [h.key?(:a), h.key?(:b), h.value?(2), h.key(1)]
  end

  def test_defaults
    h = Hash.new(5)
    assert_equal [5, 0, 5], [h[:x], h.size, h.default]
    g = Hash.new { |hash, k| hash[k] = k.to_s * 2 }
    assert_equal ["aa", {a: "aa"}], [g[:a], g]
    assert_nil g.default
    assert_equal "zz", g.default(:z) && g[:z]
    h.default = 6
    assert_equal 6, h[:none]
    assert_equal [nil, 6], [{}[:x], h.dig(:none)]
  end

  def test_storing_and_deleting
    h = {}
    h[:a] = 1
    h.store(:b, 2)
    assert_equal({a: 1, b: 2}, h)
    assert_equal [1, nil, :none], [h.delete(:a), h.delete(:zz), h.delete(:zz) { :none }]
    h[:c] = 3
    assert_equal [[:b, 2], {c: 3}], [h.shift, h]
    assert_equal [{}, nil], [h.clear, h.shift]
    s = +"key"
    h[s] = 1
    s << "x"
    assert_equal 1, h["key"]
  end

  def test_order_is_insertion_order
    h = {z: 1, a: 2}
    h[:m] = 3
    h[:z] = 9
    h.delete(:a)
    h[:a] = 4
    assert_equal [[:z, 9], [:m, 3], [:a, 4]], h.to_a
    100.times { |i| h[i] = i }
    50.times { |i| h.delete(i) }
    assert_equal [:z, :m, :a, 50], h.keys.first(4)
  end

  def test_iteration
    h = {a: 1, b: 2}
    pairs = []
    assert_same h, h.each { |k, v| pairs << [k, v] }
    assert_equal [[:a, 1], [:b, 2]], pairs
    assert_equal [[[:a, 1], 0], [[:b, 2], 1]], h.each_with_index.to_a
    assert_equal [[:a, :b], [1, 2]], [h.each_key.to_a, h.each_value.to_a]
    assert_equal [[:a, 1], [:b, 2]], h.map { |pair| pair }
    assert_equal [:a1, :b2], h.map { |k, v| :"#{k}#{v}" }
    assert_equal 3, h.sum { |k, v| v }
    assert_equal [:b, 2], h.max_by { |k, v| v }
    assert_equal [[:b, 2]], h.select { |k, v| v > 1 }.to_a
    assert_equal [:a, 1], h.find { |k, v| v == 1 }
    assert_equal [[[:a, 1]], [[:b, 2]]], h.partition { |k, v| v < 2 }
    assert_equal [[:a, 1, :x]], h.first(1).map { |k, v| [k, v, :x] }
    assert_equal 3, h.reduce(0) { |acc, (k, v)| acc + v }
  end

  def test_adding_while_iterating_is_refused
    h = {a: 1}
    assert_raise_with_message(RuntimeError, "can't add a new key into hash during iteration") { h.each { h[:b] = 2 } }
    h.each { h[:a] = 5 }
    assert_equal({a: 5}, h)
    h.each { |k, _| h.delete(k) }
    assert_empty h
  end

  def test_selection
    h = {a: 1, b: 2, c: 3}
    assert_equal [{b: 2}, {a: 1, c: 3}], [h.select { |_, v| v.even? }, h.reject { |_, v| v.even? }]
    assert_equal [{a: 1}, {b: 2, c: 3}], [h.slice(:a, :z), h.except(:a)]
    assert_equal [2, true, false, true], [h.count { |_, v| v > 1 }, h.any? { |_, v| v > 2 }, h.all? { |_, v| v > 2 }, h.none?(nil)]
    assert_equal({a: 1}, {a: 1, b: nil}.compact)
    assert_equal [[:a], [1, 2, 3]], [h.filter_map { |k, v| k if v == 1 }, h.values]
    assert_equal({b: 2, c: 3}, h.dup.tap { |x| x.delete_if { |_, v| v == 1 } })
    assert_nil h.reject! { false }
    assert_equal [[:a, 1]], h.min_by(1) { |_, v| v }
  end

  def test_transformation
    h = {a: 1, b: 2}
    assert_equal [{a: 2, b: 4}, {"a" => 1, "b" => 2}], [h.transform_values { |v| v * 2 }, h.transform_keys(&:to_s)]
    assert_equal({x: 1, b: 2}, h.transform_keys({a: :x}))
    assert_equal({1 => :a, 2 => :b}, h.invert)
    assert_equal({"a" => 1, "b" => 4}, h.to_h { |k, v| [k.to_s, v * v] })
    assert_equal({1 => [[:a, 1]], 0 => [[:b, 2]]}, h.group_by { |_, v| v % 2 })
    assert_equal [[:a, 1], [:b, 2]], h.sort_by { |k, _| k }
    assert_equal({b: 2, a: 1}, h.sort_by { |_, v| -v }.to_h)
    assert_equal [1, 2], h.flat_map { |_, v| v }
    assert_equal [:a, 1, :b, 2], h.flatten
  end

  def test_merging
    a = {x: 1, y: 2}
    assert_equal({x: 1, y: 3, z: 4}, a.merge({y: 3}, {z: 4}))
    assert_equal({x: 11, y: 2}, a.merge({x: 10}) { |k, old, new| old + new })
    assert_same a, a.update(z: 0)
    assert_equal({x: 1, y: 2, z: 0}, a)
    assert_equal({q: 1}, a.replace({q: 1}))
    assert_equal({a: 1, b: 2}, {**{a: 1}, b: 2})
  end

  def test_comparison
    assert_equal [true, true, false], [{a: 1, b: 2} == {b: 2, a: 1}, {a: 1}.eql?({a: 1}), {a: 1} == {a: 2}]
    assert_equal({a: 1, b: 2}.hash, {b: 2, a: 1}.hash)
    assert_equal [true, true, false, true], [{a: 1} <= {a: 1}, {a: 1} < {a: 1, b: 2}, {a: 1} > {a: 1}, {a: 1, b: 1} >= {b: 1}]
  end

  def test_inspect
    assert_equal '{a: 1, "b" => 2, 3 => nil, nil => [4], "c d": 5, "+": 6, e?: 7}', {a: 1, "b" => 2, 3 => nil, nil => [4], "c d": 5, "+": 6, e?: 7}.inspect
    assert_equal "{}", {}.to_s
    h = {}
    h[:self] = h
    assert_equal "{self: {...}}", h.inspect
  end

  def test_keys_by_value_and_by_identity
    h = {1 => :int, 1.0 => :float, "a" => :str, [1] => :ary, {x: 1} => :hash, nil => :nil}
    assert_equal %i[int float str ary hash nil], [h[1], h[1.0], h["a"], h[[1]], h[{x: 1}], h[nil]]
    i = {}.compare_by_identity
    i["a".dup] = 1
    i["a".dup] = 2
    assert_equal [2, true, nil], [i.size, i.compare_by_identity?, i["a".dup]]
  end

  def test_custom_keys
    point = Struct.new(:x, :y)
    h = {point.new(1, 2) => :a}
    assert_equal :a, h[point.new(1, 2)]
    k = Class.new do
      attr_reader :n
      def initialize(n) = @n = n
      def hash = 1
      def eql?(o) = n == o.n
    end
    g = {}
    20.times { |i| g[k.new(i)] = i }
    assert_equal [20, 13], [g.size, g[k.new(13)]]
  end

  def test_rehash
    k = [1]
    h = {k => :v}
    k << 2
    assert_nil h[k]
    h.rehash
    assert_equal :v, h[k]
  end

  def test_construction
    assert_equal({a: 1}, Hash[[[:a, 1]]])
    assert_equal({1 => 2, 3 => 4}, Hash[1, 2, 3, 4])
    assert_equal [{}, {}, {a: 1}], [Hash(nil), Hash([]), Hash({a: 1})]
    x = 1
    assert_equal({x: 1}, {x:})
    assert_raise_with_message(ArgumentError, "odd number of arguments for Hash") { Hash[1] }
  end

  def test_growth
    h = {}
    2000.times { |i| h["k#{i}"] = i }
    1000.times { |i| h.delete("k#{i * 2}") }
    assert_equal [1000, 999, nil], [h.size, h["k999"], h["k998"]]
    assert_equal 1000.times.sum { |i| i * 2 + 1 }, h.values.sum
  end

  def test_frozen
    h = {a: 1}.freeze
    assert_raise_with_message(FrozenError, "can't modify frozen Hash: {a: 1}") { h[:b] = 1 }
    %i[clear shift rehash compact!].each { |m| assert_raise(FrozenError) { h.send(m) } }
    assert_equal({a: 1, b: 2}, h.merge({b: 2}))
  end

  def test_to_proc_and_misc
    assert_equal [1, nil], [:a, :b].map(&{a: 1})
    assert_equal [[:a, 1], nil], [{a: 1}.assoc(:a), {a: 1}.rassoc(5)]
    assert_equal [true, false], [{}.empty?, {a: 1}.empty?]
    assert_equal [[:a, 1]], {a: 1}.sort
    assert_equal({a: 1}, {a: 1}.filter_map { |k, v| [k, v] }.to_h)
  end
end
