require "test/unit"

class TestMath < Test::Unit::TestCase
  def test_roots_and_powers
    assert_equal [4.0, 3.0, 5.0], [Math.sqrt(16), Math.cbrt(27), Math.hypot(3, 4)]
    assert_in_delta 1.4142135623731, Math.sqrt(2)
    assert_equal 10.0**10, Math.sqrt(10**20)
  end

  def test_trigonometry
    assert_in_delta 1.0, Math.sin(Math::PI / 2)
    assert_in_delta 0.5, Math.cos(Math::PI / 3)
    assert_in_delta 0.7853981633974483, Math.atan(1)
    assert_in_delta 2.356194490192345, Math.atan2(1, -1)
    assert_in_delta 1.1752011936438014, Math.sinh(1)
    assert_in_delta 1.5707963267948966, Math.acos(0)
  end

  def test_logarithms
    assert_equal [0.0, 3.0, 2.0, 3.0], [Math.log(1), Math.log2(8), Math.log10(100), Math.log(8, 2).round(9)]
    assert_in_delta 1.0, Math.log(Math::E)
    assert_in_delta 230.25850929940458, Math.log(10**100)
    assert_equal(-Float::INFINITY, Math.log(0))
    assert_in_delta 2.718281828459045, Math.exp(1)
  end

  def test_special_functions
    assert_equal [24.0, 0.0, 1.0], [Math.gamma(5), Math.erf(0), Math.erfc(0)]
    assert_equal [[0.5, 2], 2.0], [Math.frexp(2), Math.ldexp(0.5, 2)]
  end

  def test_errors
    assert_raise_with_message(Math::DomainError, "Numerical argument is out of domain - sqrt") { Math.sqrt(-1) }
    assert_raise(Math::DomainError) { Math.log(-1) }
    assert_raise(Math::DomainError) { Math.acos(2) }
    assert_raise_with_message(TypeError, "can't convert String into Float") { Math.sqrt("4") }
    assert_raise_with_message(TypeError, "can't convert nil into Float") { Math.sin(nil) }
    assert_predicate Math.sqrt(Float::NAN), :nan?
  end
end
