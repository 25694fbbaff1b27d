require "test/unit"
class Few
include Enumerable
def initialize(*items) = @items = items
def each
@items.each { |x| yield x }
self
end
end

class TestEnumerable < Test::Unit::TestCase
  def few(*a) = Few.new(*a)

  def test_basics
    f = few(3, 1, 2)
    assert_equal [[3, 1, 2], 3, [3, 1], [1, 2, 3], [6, 2, 4]], [f.to_a, f.first, f.first(2), f.sort, f.map { |x| x * 2 }]
    assert_equal [true, false, 3, 1], [f.include?(1), f.member?(9), f.count, f.count(1)]
    assert_equal [[2], [3, 1], 3, nil], [f.select(&:even?), f.reject(&:even?), f.find(&:odd?), f.find { |x| x > 9 }]
    assert_equal [1, 2], [f.find_index(1), f.find_index { |x| x == 2 }]
  end

  def test_predicates
    f = few(1, 2, nil)
    assert_equal [true, false, false, false, true], [f.any?, f.all?, f.none?, f.one?, f.any?(Integer)]
    assert_equal [true, true, true], [few.all?, few.none?, few(nil, 1).one?]
    assert_equal true, few(1, 2).all?(1..2)
  end

  def test_grouping
    f = few(1, 2, 3, 4, 5)
    assert_equal [[[2, 4], [1, 3, 5]], {true => [1, 3, 5], false => [2, 4]}], [f.partition(&:even?), f.group_by(&:odd?)]
    assert_equal [[[1, 2], [3, 4], [5]], [[1, 2], [2, 3], [3, 4], [4, 5]]], [f.each_slice(2).to_a, f.each_cons(2).to_a]
    assert_equal [[false, [1]], [true, [2]], [false, [3]]], few(1, 2, 3).chunk(&:even?).to_a
    assert_equal [[1, 2], [4, 5]], few(1, 2, 4, 5).slice_when { |a, b| b != a + 1 }.to_a
    assert_equal [[1], [2, 3], [4, 5]], f.slice_before(&:even?).to_a
    assert_equal [[1, 2], [3, 4], [5]], f.slice_after(&:even?).to_a
  end

  def test_transformation
    f = few([1, 2], [3, 4])
    assert_equal [[1, 2, 3, 4], {1 => 2, 3 => 4}, [3, 7]], [f.flat_map(&:itself), f.to_h, f.map { |a, b| a + b }]
    assert_equal [[1, :a], [2, :b]], few(1, 2).zip([:a, :b])
    assert_equal [20], few(1, 2).filter_map { |x| x * 10 if x > 1 }
    assert_equal [[1, 0], [2, 1]], few(1, 2).each_with_index.to_a
    assert_equal [1, 2], few(1, 2).each_with_object([]) { |x, acc| acc << x }
    assert_equal [[3, 2, 1], [1, 2]], [few(1, 2, 3).reverse_each.to_a, few(1, 1, 2).uniq]
    assert_equal [[1, 2], [3]], [few(1, 2, 3).take(2), few(1, 2, 3).drop(2)]
    assert_equal [[1], [2, 1]], [few(1, 2, 1).take_while { |x| x < 2 }, few(1, 2, 1).drop_while { |x| x < 2 }]
    assert_equal [1, 2, 1, 2], few(1, 2).cycle(2).to_a
    assert_equal %w[a bb], few("bb", "a").sort_by(&:size)
    assert_equal [1, 2], few(nil, 1, 2).compact
  end

  def test_multiple_yields
    c = Class.new do
      include Enumerable
      def each
        yield 1, 2
        yield 3
        yield
      end
    end
    assert_equal [[[1, 2], 3, nil], [1, 3, nil], [[1, 2], 3, nil]], [c.new.to_a, c.new.map { |a| a }.map { |x| x.is_a?(Array) ? x[0] : x }, c.new.each_entry.to_a]
    assert_equal [[1, 2], [3, nil], [nil, nil]], c.new.map { |a, b| [a, b] }
  end

  def test_errors
    assert_raise_with_message(ArgumentError, "attempt to take negative size") { few(1).first(-1) }
    assert_raise(ArgumentError) { few(1).each_slice(0) }
    assert_raise(ArgumentError) { few(1, "a").sort }
    assert_raise(TypeError) { few(1).to_h }
  end
end
