require "test/unit"

class TestEnumerator < Test::Unit::TestCase
  def test_external_iteration
    e = [1, 2].each
    assert_equal [1, 1, 2], [e.peek, e.next, e.next]
    assert_raise_with_message(StopIteration, "iteration reached an end") { e.next }
    e.rewind
    assert_equal 1, e.next
  end

  def test_generator
    e = Enumerator.new do |y|
      y << 1 << 2
      y.yield 3, 4
      :result
    end
    assert_equal [[1, 2, [3, 4]], 1], [e.to_a, e.first]
    3.times { e.next }
    assert_equal :result, assert_raise(StopIteration) { e.next }.result
    assert_nil e.size
    assert_equal 5, Enumerator.new(5) { }.size
  end

  def test_infinite
    fib = Enumerator.new { |y| a, b = 0, 1; loop { y << a; a, b = b, a + b } }
    assert_equal [0, 1, 1, 2, 3, 5, 8], fib.take(7)
    assert_equal [0, 2, 8], fib.lazy.select(&:even?).first(3)
    assert_equal [1, 2, 4], Enumerator.produce(1) { |x| x * 2 }.take(3)
    assert_equal [3, 2, 1], Enumerator.produce(3) { |x| x == 1 ? raise(StopIteration) : x - 1 }.to_a
  end

  def test_with_index_and_object
    assert_equal [[:a, 1], [:b, 2]], %i[a b].each.with_index(1).to_a
    assert_equal %w[0a 1b], %w[a b].map.with_index { |x, i| "#{i}#{x}" }
    assert_equal [:b], %i[a b].select.with_index { |_, i| i == 1 }
    assert_equal [1, 2], [1, 2].each.with_object([]) { |x, acc| acc << x }
    assert_equal [[1, 0]], [1].each_with_index.to_a
  end

  def test_to_enum
    o = Object.new
    def o.each_pair_of(n) = block_given? ? (yield n; yield n + 1) : to_enum(:each_pair_of, n) { 2 }
    e = o.each_pair_of(5)
    assert_equal [[5, 6], 2], [e.to_a, e.size]
    assert_equal [97, 98], "ab".enum_for(:each_byte).to_a
  end

  def test_sizes
    assert_equal [3, Float::INFINITY, 2, 3], [[1, 2, 3].each.size, loop.size, [1, 2, 3].each_slice(2).size, 3.times.size]
  end

  def test_chaining
    assert_equal [1, 2, 3, 4], ([1, 2].each + [3, 4]).to_a
    assert_equal [[1, 3], [2, 4]], [1, 2].each.zip([3, 4].each)
    assert_equal [[1, :x], [2, :x]], [1, 2].each_entry.map { |x| [x, :x] }
  end

  def test_lazy
    l = (1..Float::INFINITY).lazy
    assert_equal [4, 8, 12], l.map { |x| x * 2 }.select { |x| x % 4 == 0 }.first(3)
    assert_equal [1, 2], l.take(2).to_a
    assert_equal [1, 2], l.take_while { |x| x < 3 }.to_a
    assert_equal [3, 4], l.drop(2).first(2)
    assert_equal [[1, 0], [2, 1]], l.with_index.first(2)
    assert_equal [1, 1, 2], l.flat_map { |x| [x, x] }.first(3)
    assert_equal [2, 4], (1..4).lazy.filter_map { |x| x if x.even? }.force
    assert_equal [1, 2], [1, 1, 2].lazy.uniq.to_a
    assert_equal [[1, 2], [3]], (1..3).lazy.each_slice(2).to_a
    assert_instance_of Enumerator::Lazy, l.map { }
  end

  def test_exceptions_pass_through
    e = Enumerator.new { |y| y << 1; raise IOError, "inside" }
    assert_equal 1, e.next
    assert_raise_with_message(IOError, "inside") { e.next }
  end

  def test_inspect
    assert_equal "#<Enumerator: [1]:each>", [1].each.inspect
    assert_equal "#<Enumerator: [1]:each_slice(2)>", [1].each_slice(2).inspect
  end

  def test_many_enumerators_alive
    es = Array.new(200) { |i| Enumerator.new { |y| loop { y << i } } }
    assert_equal (0...200).sum, es.sum(&:next)
    assert_equal (0...200).sum, es.sum(&:next)
  end
end
