require "test/unit"
class Size
include Comparable
attr_reader :n
def initialize(n) = @n = n
def <=>(other) = other.is_a?(Size) ? n <=> other.n : nil
end

class TestComparable < Test::Unit::TestCase
  def s(n) = Size.new(n)

  def test_operators
    assert_equal [true, false, true, true, false, true], [s(1) < s(2), s(1) > s(2), s(1) <= s(1), s(2) >= s(1), s(1) == s(2), s(1) == s(1)]
    assert_equal false, s(1) == 1
  end

  def test_incomparable
    assert_raise_with_message(ArgumentError, /\Acomparison of Size with 1 failed/) { s(1) < 1 }
    assert_raise_with_message(ArgumentError, /\Acomparison of Size with nil failed/) { s(1) >= nil }
    assert_raise_with_message(ArgumentError, /\Acomparison of Size with String failed/) { s(1).between?("a", "b") }
  end

  def test_between_and_clamp
    a, b, c = s(1), s(2), s(3)
    assert_equal [true, false], [b.between?(a, c), a.between?(b, c)]
    assert_equal [b, b, b], [a.clamp(b, c), b.clamp(a, c), c.clamp(a, b)]
    assert_equal [b, c], [a.clamp(b..), c.clamp(a..)]
    assert_raise_with_message(ArgumentError, "min argument must be less than or equal to max argument") { a.clamp(c, a) }
  end

  def test_sorting
    assert_equal [1, 2, 3], [s(2), s(3), s(1)].sort.map(&:n)
    assert_equal [1, 3], [s(2), s(3), s(1)].minmax.map(&:n)
  end
end
