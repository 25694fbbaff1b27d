require "test/unit"

class TestFloat < Test::Unit::TestCase
  def test_text
    assert_equal %w[1.0 0.1 100.0 1.0e+16 1.0e+15 0.0001 1.0e-05 1.0e+100], [1.0, 0.1, 100.0, 1e16, 1e15, 1e-4, 1e-5, 1e100].map(&:to_s)
    assert_equal %w[0.30000000000000004 -0.0 5.0e-324 1.7976931348623157e+308], [0.1 + 0.2, -0.0, 5e-324, 1.7976931348623157e308].map(&:to_s)
    assert_equal %w[NaN Infinity -Infinity], [0.0 / 0, 1.0 / 0, -1.0 / 0].map(&:to_s)
    assert_equal 123456789.123456789, 123456789.12345679
  end

  def test_parsing
    assert_equal [1.5, 0.0, 12.0, 1e10, -0.5, 1000.5], %w[1.5 x 12abc 1e10 -0.5 1_000.5].map(&:to_f)
    assert_equal 1.5, Float("1.5")
    assert_equal 255.0, Float("0xff")
    assert_raise_with_message(ArgumentError, 'invalid value for Float(): "1.5x"') { Float("1.5x") }
    assert_raise(TypeError) { Float(nil) }
    assert_nil Float("x", exception: false)
  end

  def test_arithmetic
    assert_equal 0.75, 1.5 / 2
    assert_equal 1.0, 7.0 % 2
    assert_equal 0.5, -1.5 % 2
    assert_equal [-4, 0.5], -7.5.divmod(2)
    assert_equal 8.0, 2.0**3
    assert_equal Complex(0, 1).real, ((-1.0)**0.5).real.round
    assert_in_delta 0.3, 0.1 + 0.2
    assert_equal 3.5, 1 + 2.5
  end

  def test_rounding
    assert_equal [3, 4, 3, -3, -4, -3], [3.7.floor, 3.2.ceil, 3.4.round, -3.2.ceil, -3.2.floor, -3.4.round]
    assert_equal [3, 4, -3], [2.5.round, 3.5.round, -2.5.round]
    assert_equal [2, 2, 3], [2.5.round(half: :even), 2.5.round(half: :down), 2.5.round(half: :up)]
    assert_equal [3.14, 3.1, 1200, 1234.6], [3.14159.round(2), 3.14159.floor(1), 1234.567.round(-2), 1234.567.ceil(1)]
    assert_equal 0, 0.4.round
    assert_raise_with_message(FloatDomainError, "Infinity") { (1.0 / 0).to_i }
    assert_raise_with_message(FloatDomainError, "NaN") { (0.0 / 0).round }
    assert_equal 100000000000000000000, 1e20.to_i
  end

  def test_special_values
    nan = 0.0 / 0
    assert_equal false, nan == nan
    assert_equal true, nan.nan?
    assert_equal [1, -1, nil], [(1 / 0.0).infinite?, (-1 / 0.0).infinite?, 1.0.infinite?]
    assert_nil 1.0 <=> nan
    assert_equal true, 0.0 == -0.0
    assert_equal false, 0.0.equal?(-0.0)
    assert_equal(-Float::INFINITY, 1 / -0.0)
    assert_equal [false, true], [nan.finite?, 1.0.finite?]
  end

  def test_constants
    assert_equal 15, Float::DIG
    assert_equal 53, Float::MANT_DIG
    assert_equal 2.220446049250313e-16, Float::EPSILON
    assert_equal 2.2250738585072014e-308, Float::MIN
  end

  def test_comparison_and_hash
    assert_equal true, 1.0 == 1
    assert_equal false, 1.0.eql?(1)
    assert_equal true, 1.0.eql?(1.0)
    assert_equal 1.0.hash, 1.0.hash
    assert_equal [true, false], [1.5 < 2, 1.5 > 2**70]
    assert_raise(ArgumentError) { 1.0 < "x" }
  end

  def test_neighbours_and_rationals
    assert_equal 1.0000000000000002, 1.0.next_float
    assert_equal 0.9999999999999999, 1.0.prev_float
    assert_equal 1r / 2, 0.5.to_r
    assert_equal 3r / 10, 0.3.rationalize
    assert_equal 1r / 3, 0.333.rationalize(0.01r)
  end

  def test_arithmetic_in_loops_is_exact_double
    x = 0.0
    1000.times { x += 0.1 }
    assert_equal 99.9999999999986, x
  end
end
