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

  def test_reductions
    f = few(1, 2, 3, 4)
    assert_equal [10, 24, 10, 20, 10.0], [f.sum, f.inject(:*), f.reduce { |a, b| a + b }, f.inject(10) { |a, b| a + b }, f.sum(0.0)]
    assert_equal [nil, 0, 5], [few.inject(:+), few.sum, few.inject(5, :+)]
    assert_equal [1, 4, [1, 4], 4, 1], [f.min, f.max, f.minmax, f.min_by { |x| -x }, f.max_by { |x| -x }]
    assert_equal [[1, 2], [4, 3]], [f.min(2), f.max(2)]
    assert_equal({1 => 2, 2 => 1}, few(1, 1, 2).tally)
  end

  def test_break_and_laziness
    log = []
    f = Class.new { include Enumerable; define_method(:each) { |&b| 3.times { |i| log << i; b.call(i) } } }.new
    assert_equal 1, f.find { |x| x == 1 }
    assert_equal [0, 1], log
    log.clear
    assert_equal [[0], [0, 2]], [f.first(1), f.lazy.select(&:even?).first(2)]
  end
end
