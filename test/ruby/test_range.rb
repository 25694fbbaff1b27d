require "test/unit"

class TestRange < Test::Unit::TestCase
  def test_iteration
    assert_equal [[1, 2, 3], [1, 2], %w[a b c]], [(1..3).to_a, (1...3).to_a, ("a".."c").to_a]
    assert_equal [3, 2, 1], (1..3).reverse_each.to_a
    assert_equal [1, 2, 3], (1..).first(3)
    assert_equal [], (3..1).to_a
    sum = 0
    (1..10).each { |i| sum += i }
    assert_equal 55, sum
    assert_raise_with_message(TypeError, "can't iterate from Float") { (1.0..2.0).each { } }
    assert_raise_with_message(RangeError, "cannot convert endless range to an array") { (1..).to_a }
  end

  def test_membership
    assert_equal [true, false, true, false], [(1..3).include?(3), (1...3).include?(3), (1..3).include?(2.5), (1..3) === 4]
    assert_equal [true, false, true], [("a".."z").cover?("bb"), ("a".."z").include?("bb"), (1..10).cover?(2..3)]
    assert_equal [true, true, false], [(1..) === 10**9, (..5) === -1, (..5) === 6]
    assert_equal [true, false], [(1..3).overlap?(3..4), (1...3).overlap?(3..4)]
  end

  def test_bounds
    r = (1...10)
    assert_equal [1, 10, 1, 10, true], [r.begin, r.end, r.first, r.last, r.exclude_end?]
    assert_equal [1, 9, [1, 9], [1, 2], [8, 9]], [r.min, r.max, r.minmax, r.first(2), r.last(2)]
    assert_equal [9, 10, Float::INFINITY, 0], [r.size, (1..10).size, (1..).size, (2..1).size]
    assert_equal [nil, nil], [(2..1).min, (1..nil).end]
    assert_equal 10, (1..10).max { |a, b| a <=> b }
  end

  def test_steps
    assert_equal [[1, 4, 7, 10], [1.0, 1.5, 2.0], [1, 3, 5]], [(1..10).step(3).to_a, (1.0..2.0).step(0.5).to_a, (1..).step(2).first(3)]
    assert_equal [1, 4, 7, 10], ((1..10) % 3).to_a
    assert_equal "((1..10).%(3))", ((1..10) % 3).inspect
    assert_raise_with_message(ArgumentError, "step can't be 0") { (1..2).step(0) { } }
  end

  def test_arithmetic
    assert_equal [55, 5000000050000000, 0], [(1..10).sum, (1..10**8).sum, (2..1).sum]
    assert_equal [120, 3628800], [(1..5).inject(:*), (1..10).reduce(:*)]
    assert_equal 5, (1..10).count(&:even?)
    assert_equal 7, (1..10).bsearch { |x| x >= 7 }
    assert_in_delta 1.41421356, (0.0..2.0).bsearch { |x| x * x >= 2 }
  end

  def test_equality_and_text
    assert_equal [true, false, true], [(1..2) == (1..2), (1..2) == (1...2), (1..2).eql?(1..2)]
    assert_equal (1..2).hash, (1..2).hash
    assert_equal ["1..2", "1...2", '"a".."b"', "1..", "..1", "nil..nil"], [(1..2).inspect, (1...2).to_s, ("a".."b").inspect, (1..).inspect, (..1).inspect, (nil..nil).inspect]
    assert_predicate (1..2), :frozen?
    assert_raise_with_message(ArgumentError, "bad value for range") { 1.."a" }
    assert_equal (1...3), Range.new(1, 3, true)
  end

  def test_slicing_with_ranges
    a = [0, 1, 2, 3]
    assert_equal [[1, 2, 3], [0, 1], [1, 2], []], [a[1..], a[..1], a[1..-2], a[4..]]
    assert_nil a[5..]
    assert_equal "ell", "hello"[1..3]
  end
end
