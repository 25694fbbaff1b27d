require "test/unit"

class TestArray < Test::Unit::TestCase
  def test_construction
    assert_equal [[], [nil, nil], [0, 0], [0, 1, 4]], [Array.new, Array.new(2), Array.new(2, 0), Array.new(3) { |i| i * i }]
    assert_equal [[nil], [1], [[1, 2]], [1, 2]], [[nil], Array(1), [[1, 2]], Array(1..2)]
    assert_equal [], Array(nil)
    assert_equal [1, 2, 3], [1, *[2, 3]]
    assert_raise_with_message(ArgumentError, "negative array size") { Array.new(-1) }
  end

  def test_indexing
    a = [1, 2, 3, 4, 5]
    assert_equal [1, 5, nil, 3], [a[0], a[-1], a[5], a.at(2)]
    assert_equal [[2, 3], [4, 5], [2, 3, 4], [], nil, [1, 3, 5]], [a[1, 2], a[-2..], a[1..-2], a[5, 1], a[6, 1], a[(0..).step(2)]]
    assert_equal [1, :d, 10], [a.fetch(0), a.fetch(9, :d), a.fetch(9) { |i| i + 1 }]
    assert_raise_with_message(IndexError, "index 9 outside of array bounds: -5...5") { a.fetch(9) }
    assert_equal [1, 5, nil], a.values_at(0, -1, 9)
    assert_equal 3, [[1, [2, 3]]].dig(0, 1, 1)
  end

  def test_storing
    a = [1, 2, 3]
    a[5] = 6
    assert_equal [1, 2, 3, nil, nil, 6], a
    a[1, 3] = [:x]
    assert_equal [1, :x, nil, 6], a
    a[0..1] = []
    assert_equal [nil, 6], a
    a[1...1] = [1, 2]
    assert_equal [nil, 1, 2, 6], a
    a[-1] = 7
    assert_equal 7, a.last
    assert_raise_with_message(IndexError, "index -9 too small for array; minimum: -4") { a[-9] = 1 }
    a[4, 0] = 8
    assert_equal 8, a[4]
  end

  def test_stack_and_queue
    a = [1, 2]
    assert_same a, a.push(3, 4)
    assert_equal [4, 1, [2, 3]], [a.pop, a.shift, a]
    a.unshift(0).append(9).prepend(-1)
    assert_equal [-1, 0, 2, 3, 9], a
    assert_equal [[3, 9], [-1, 0]], [a.pop(2), a.shift(2)]
    assert_equal [nil, nil], [[].pop, [].shift]
    assert_equal [1, :x, 2], [1, 2].insert(1, :x)
    assert_equal [1, 2, :x], [1, 2].insert(-1, :x)
  end

  def test_many_shifts_and_pushes
    a = []
    1000.times { |i| a.push(i); a.shift if i.odd? }
    assert_equal [500, 500, 999], [a.size, a.first, a.last]
    b = (0...100).to_a
    50.times { b.shift }
    b.unshift(:x)
    assert_equal [:x, 50], b.first(2)
  end

  def test_deleting
    a = [1, 2, 3, 2, nil]
    assert_equal [2, [1, 3, nil]], [a.delete(2), a]
    assert_equal [nil, :none], [a.delete(9), a.delete(9) { :none }]
    assert_equal [3, [1, nil]], [a.delete_at(1), a]
    assert_equal [1], a.compact
    assert_equal [2, 4], [1, 2, 3, 4].select!(&:even?)
    assert_nil [2].select!(&:even?)
    assert_equal [1, 3], [1, 2, 3].reject!(&:even?)
    assert_nil [1].reject!(&:even?)
    assert_equal [1, 2], [1, 1, 2].uniq!
    b = [1, 2, 3, 4]
    assert_equal [[2, 3], [1, 4]], [b.slice!(1, 2), b]
    assert_equal [1], [1, 2, 3].keep_if { |x| x < 2 }
  end

  def test_set_operations
    assert_equal [[1, 2, 3], [2], [1], [1, 2, 3]], [[1, 2] | [2, 3], [1, 2] & [2, 3], [1, 2] - [2, 3], [1, 2, 2, 3].uniq]
    assert_equal [1, 2, 3, 4], [1].union([2, 3], [4])
    assert_equal true, [1, 2].intersect?([2])
    assert_equal [[1, "a"]], [[1, "a"], [1, "b"]].uniq(&:first)
  end

  def test_combining
    assert_equal [1, 2, 3], [1] + [2, 3]
    assert_equal [1, 2, 1, 2], [1, 2] * 2
    assert_equal "1-2", [1, 2] * "-"
    assert_equal [[1, :a], [2, :b], [3, nil]], [1, 2, 3].zip([:a, :b])
    assert_equal [[1, 3], [1, 4], [2, 3], [2, 4]], [1, 2].product([3, 4])
    assert_equal [[1, 3], [2, 4]], [[1, 2], [3, 4]].transpose
    assert_equal [1, 2, 3, [4]], [1, [2, [3, [4]]]].flatten(2)
    assert_equal [1, 2, 3, 4], [1, [2, [3, [4]]]].flatten
    assert_nil [1].flatten!
  end

  def test_combinatorics
    assert_equal [[1, 2], [1, 3], [2, 3]], [1, 2, 3].combination(2).to_a
    assert_equal 6, [1, 2, 3].permutation.count
    assert_equal [[1, 2], [2, 1]], [1, 2].permutation.to_a
    assert_equal [[1, 1], [1, 2], [2, 2]], [1, 2].repeated_combination(2).to_a
    assert_equal [[]], [1].combination(0).to_a
    assert_equal [], [1].combination(2).to_a
  end

  def test_ordering
    assert_equal [1, 2, 3], [3, 1, 2].sort
    assert_equal [3, 2, 1], [3, 1, 2].sort { |a, b| b <=> a }
    assert_equal %w[a bb ccc], %w[ccc a bb].sort_by(&:size)
    assert_equal [[1, "b"], [2, "a"]], [[2, "a"], [1, "b"]].sort
    assert_equal [1, 3, [1, 3], [1, 2], [3, 2]], [[3, 1, 2].min, [3, 1, 2].max, [3, 1, 2].minmax, [3, 1, 2].min(2), [3, 1, 2].max(2)]
    assert_equal [3, 2, 1], [1, 2, 3].reverse
    assert_equal [[2, 3, 1], [3, 1, 2]], [[1, 2, 3].rotate, [1, 2, 3].rotate(-1)]
    assert_raise_with_message(ArgumentError, /\Acomparison of Integer with String failed/) { [1, "a"].sort }
    assert_raise(ArgumentError) { [1, nil].max }
    big = (0...1000).map { |i| (i * 7919) % 1000 }
    assert_equal (0...1000).to_a, big.sort
    assert_equal (0...1000).to_a.reverse, big.sort_by { |x| -x }
  end

  def test_iteration
    seen = []
    result = [1, 2].each { |x| seen << x }
    assert_equal [[1, 2], [1, 2]], [seen, result]
    assert_equal [2, 4], [1, 2].map { |x| x * 2 }
    assert_equal [[1, 0], [2, 1]], [1, 2].each_with_index.to_a
    assert_equal [[2, 1], [1, 0]], [1, 2].each_with_index.reverse_each.to_a
    assert_equal [0, 1], [5, 6].each_index.to_a
    assert_equal [[1, 2], [3]], [1, 2, 3].each_slice(2).to_a
    assert_equal [[1, 2], [2, 3]], [1, 2, 3].each_cons(2).to_a
    assert_equal [2, 1], [1, 2].reverse_each.to_a
    assert_equal [1, 2, 1, 2], [1, 2].cycle(2).to_a
    assert_equal :stop, [1, 2].each { |x| break :stop if x == 2 }
    assert_equal [1, 1, 2, 2], [1, 2].flat_map { |x| [x, x] }
    assert_equal [10, 20], [1, 2].each_with_object([]) { |x, acc| acc << x * 10 }
  end

  def test_queries
    a = [1, 2, 3, 4]
    assert_equal [true, true, false, true], [a.include?(2), a.any?(&:even?), a.all?(&:even?), a.none? { |x| x > 9 }]
    assert_equal [1, 3, nil], [a.index(2), a.rindex { |x| x > 2 }, a.find_index(9)]
    assert_equal [2, 4, 1], [a.count(&:even?), a.count, a.count(3)]
    assert_equal [2, nil], [a.find(&:even?), a.find { |x| x > 9 }]
    assert_equal [[2, 4], [1, 3]], a.partition(&:even?)
    assert_equal({1 => [1, 3], 0 => [2, 4]}, a.group_by { |x| x % 2 })
    assert_equal({1 => 2, 2 => 1}, [1, 1, 2].tally)
    assert_equal [[1, 2], [3, 4]], [a.take(2), a.drop(2)]
    assert_equal [[1], [2, 3, 4]], [a.take_while(&:odd?), a.drop_while(&:odd?)]
    assert_equal [10, 24, 10.0], [a.sum, a.inject(:*), a.sum(0.0)]
    assert_equal [[1, 2], [4]], [a.first(2), a.last(1)]
    assert_equal 3, a.bsearch { |x| x >= 3 }
    assert_equal [[[1, 2], [4, 5]], [[1], [2, 4], [5]]], [[1, 2, 4, 5].slice_when { |x, y| y != x + 1 }.to_a, [1, 2, 4, 5].chunk_while { |x, y| x.even? && y.even? }.to_a]
  end

  def test_comparison
    assert_equal [0, -1, 1, nil, -1], [[1] <=> [1], [1] <=> [2], [2] <=> [1, 5], [1] <=> ["a"], [] <=> [1]]
    assert_equal [true, false, true], [[1] == [1.0], [1].eql?([1.0]), [1, [2]].hash == [1, [2]].hash]
    assert_equal true, [1, 2].frozen? == false
  end

  def test_text
    assert_equal '[1, "a", :b, nil, [2], {c: 1}]', [1, "a", :b, nil, [2], {c: 1}].inspect
    assert_equal "1a2", [1, "a", [2]].join
    a = [1]
    a << a
    assert_equal "[1, [...]]", a.to_s
  end

  def test_filling_and_replacing
    assert_equal [[0, 0], [1, 0, 0], [0, 1, 4]], [[1, 2].fill(0), [1, 2, 3].fill(0, 1), [1, 1, 1].fill { |i| i * i }]
    a = [1, 2]
    assert_equal [3], a.replace([3])
    assert_empty a.clear
    assert_equal [2, 4], [1, 2].map! { |x| x * 2 }
    assert_equal [1, 2, 3, 4], [1, 2].concat([3], [4])
  end

  def test_conversion
    assert_equal({a: 1}, [[:a, 1]].to_h)
    assert_equal({1 => 2}, [1].to_h { |x| [x, x + 1] })
    assert_raise_with_message(TypeError, "wrong element type Integer at 0 (expected array)") { [1].to_h }
    a = [1]
    assert_same a, a.to_a
    assert_equal "\x01\x02", [1, 2].pack("C*")
  end

  def test_frozen
    a = [3, 1].freeze
    assert_raise_with_message(FrozenError, "can't modify frozen Array: [3, 1]") { a << 1 }
    %i[sort! clear pop shift uniq! compact! reverse! shuffle! flatten!].each do |name|
      assert_raise(FrozenError) { a.send(name) }
    end
    assert_equal [1, 3], a.sort
  end

  def test_shuffling
    a = (1..20).to_a
    assert_equal a, a.shuffle.sort
    assert_include a, a.sample
    assert_equal 3, a.sample(3).uniq.size
    assert_equal a.shuffle(random: Random.new(1)), a.shuffle(random: Random.new(1))
  end

  def test_subclass
    c = Class.new(Array)
    assert_instance_of c, c.new([1])
    assert_instance_of Array, c.new([1]) + [2]
    assert_instance_of Array, c.new([1]).map { 1 }
    assert_equal true, c[1, 2] == [1, 2]
  end
end
