require "test/unit"

class TestInteger < Test::Unit::TestCase
  def test_arithmetic
    assert_equal 5, 2 + 3
    assert_equal(-1, 2 - 3)
    assert_equal 6, 2 * 3
    assert_equal 3.5, 7 / 2.0
    assert_equal [3, -4, -4, 3], [7 / 2, -7 / 2, 7 / -2, -7 / -2]
    assert_equal [1, 1, -1, -1], [7 % 2, -7 % 2, 7 % -2, -7 % -2]
    assert_equal [-1, 1], [-7.remainder(2), 7.remainder(-2)]
    assert_equal [-4, -1], 7.divmod(-2)
    assert_equal [3, 1.5], 7.5.divmod(2)
  end

  def test_grows_into_big_integers_and_back
    max = 2**62 - 1
    assert_equal 4611686018427387904, max + 1
    assert_equal max, max + 1 - 1
    assert_equal 21267647932558653957237540927630737409, max * max
    assert_equal(-4611686018427387905, -max - 2)
    assert_equal 1, 2**100 / 2**100
    assert_instance_of Integer, 2**100
  end

  def test_big_arithmetic
    a = 123456789012345678901234567890
    b = 987654321098765432109876543210
    assert_equal 1111111110111111111011111111100, a + b
    assert_equal(-864197532086419753208641975320, a - b)
    assert_equal 121932631137021795226185032733622923332237463801111263526900, a * b
    assert_equal [8, 9000000000900000000090], b.divmod(a)
    assert_equal [-1, 864197532086419753208641975320], (-a).divmod(b)
    assert_equal 10**40, (10**20)**2
    assert_equal a, (a << 77) >> 77
    assert_equal(-1, -1 >> 1000)
    assert_equal a.to_s.reverse, a.digits.join
  end

  def test_power
    assert_equal 1024, 2**10
    assert_equal 1r / 8, 2**-3
    assert_equal 1.4142135623730951, 2**0.5
    assert_equal 1, 0**0
    assert_raise(ZeroDivisionError) { 0**-1 }
    assert_equal 445, 4.pow(13, 497)
    assert_equal 1, 10.pow(0, 7)
    assert_equal(-2, 3.pow(1, -5))
  end

  def test_division_by_zero
    assert_raise_with_message(ZeroDivisionError, "divided by 0") { 1 / 0 }
    assert_raise(ZeroDivisionError) { 1 % 0 }
    assert_raise(ZeroDivisionError) { 1.divmod(0) }
    assert_raise(ZeroDivisionError) { 2**70 / 0 }
    assert_equal Float::INFINITY, 1 / 0.0
    assert_equal Float::INFINITY, 1.fdiv(0)
  end

  def test_bits
    assert_equal [0b1000, 0b1110, 0b0110, -13], [12 & 10, 12 | 10, 12 ^ 10, ~12]
    assert_equal [1024, 1, 1, 1024], [1 << 10, 1024 >> 10, 1 >> 0, 1 >> -10]
    assert_equal [0, 1, 1, 1], [6[0], 6[1], -1[100], -2[5]]
    assert_equal 0b101, 0b11010[1, 3]
    assert_equal 0b101, 0b11010[1..3]
    assert_equal [4, 63, 64, 0, 0], [8.bit_length, (2**62).bit_length, (2**63).bit_length, 0.bit_length, -1.bit_length]
    assert_equal [true, true, false], [6.anybits?(2), 6.allbits?(6), 6.nobits?(2)]
    assert_equal 2**70 | 1, 2**70 + 1
    assert_equal 2**64 - 1, -1 & (2**64 - 1)
  end

  def test_comparison
    assert_equal [-1, 0, 1, nil], [1 <=> 2, 1 <=> 1, 2 <=> 1, 1 <=> "a"]
    assert_equal true, 1 == 1.0
    assert_equal false, 1.eql?(1.0)
    assert_equal true, 2**70 == (2**70).to_f
    assert_equal true, 2**70 > 1e20
    assert_equal 5, 5.clamp(1, 10)
    assert_equal [1, 10, 3], [0.clamp(1, 10), 11.clamp(1..10), 3.clamp(1..)]
    assert_raise_with_message(ArgumentError, /\Acomparison of Integer with String failed/) { 1 < "a" }
    assert_raise_with_message(ArgumentError, /\Acomparison of Integer with nil failed/) { 1 < nil }
  end

  def test_conversion_to_text
    assert_equal "ff", 255.to_s(16)
    assert_equal "-zz", -1295.to_s(36)
    assert_equal "1" + "0" * 30, (10**30).to_s
    assert_equal "42", 42.inspect
    assert_equal "A", 65.chr
    assert_equal "\u3042", 0x3042.chr("UTF-8")
    assert_raise(RangeError) { 256.chr }
    assert_raise_with_message(ArgumentError, "invalid radix 37") { 1.to_s(37) }
  end

  def test_conversion_from_text
    assert_equal 255, Integer("0xff")
    assert_equal 255, Integer("ff", 16)
    assert_equal(-5, Integer(" -5 "))
    assert_equal 1000, Integer("1_000")
    assert_nil Integer("x", exception: false)
    assert_raise_with_message(ArgumentError, 'invalid value for Integer(): "1__0"') { Integer("1__0") }
    assert_raise_with_message(TypeError, "can't convert nil into Integer") { Integer(nil) }
    assert_equal 3, Integer(3.99)
    assert_raise(FloatDomainError) { Integer(Float::NAN) }
  end

  def test_rounding
    assert_equal [10, 20, 20, -20, 0], [14.round(-1), 15.round(-1), 24.round(-1), -15.round(-1), 4.round(-1)]
    assert_equal [20, 10, 20], [15.round(-1, half: :even), 15.round(-1, half: :down), 15.round(-1, half: :up)]
    assert_equal [10, 20, -20, -10], [15.floor(-1), 15.ceil(-1), -15.floor(-1), -15.ceil(-1)]
    assert_equal [15, 10], [15.truncate(2), 15.truncate(-1)]
    assert_raise(ArgumentError) { 15.round(-1, half: :odd) }
  end

  def test_number_theory
    assert_equal [6, 36, [6, 36]], [12.gcd(18), 12.lcm(18), 12.gcdlcm(18)]
    assert_equal [4, 4, 10**10], [Integer.sqrt(16), Integer.sqrt(24), Integer.sqrt(10**20)]
    assert_equal [3, 2, 1], 123.digits
    assert_equal [23, 1], 123.digits(100)
    assert_equal [true, false, true, false], [2.even?, 2.odd?, 0.zero?, 1.zero?]
    assert_equal [6, 4, 5, -5], [5.succ, 5.pred, -5.abs, -5]
    assert_equal [2, -1], [7.ceildiv(4), -7.ceildiv(4)]
  end

  def test_iteration
    assert_equal [0, 1, 2], 3.times.to_a
    assert_equal [3, 4, 5], 3.upto(5).to_a
    assert_equal [5, 4, 3], 5.downto(3).to_a
    assert_equal [1, 4, 7, 10], 1.step(10, 3).to_a
    assert_equal [10, 8, 6], 10.step(6, -2).to_a
    assert_equal [1, 3], 1.step(by: 2, to: 4).to_a
    assert_equal 3, 3.times { }
    assert_equal :out, 3.times { |i| break :out if i == 1 }
    assert_equal 5, 5.times.size
    assert_equal [], 5.upto(4).to_a
    sum = 0
    (2**64).upto(2**64 + 2) { |i| sum += i - 2**64 }
    assert_equal 3, sum
  end

  def test_coercion
    assert_equal [2.5, 1.0], 1.coerce(2.5)
    assert_equal [2, 1], 1.coerce(2)
    assert_raise_with_message(TypeError, "String can't be coerced into Integer") { 1 + "2" }
    assert_raise_with_message(TypeError, "nil can't be coerced into Integer") { 1 * nil }
    meters = Struct.new(:n) { def coerce(o) = [o, n] }
    assert_equal 7, 5 + meters.new(2)
    assert_equal 2.5, 5 / meters.new(2.0)
  end

  def test_is_its_own_constant
    assert_same 1, 1
    assert_predicate 1, :frozen?
    assert_equal 3, 1.object_id
    assert_raise(TypeError) { def (n = 1).x = 1 }
    assert_raise(NoMethodError) { Integer.new }
  end

  def test_redefinition_is_honoured
    Integer.class_eval do
      alias_method :plain_minus, :-
      def -(other) = :redefined
    end
    assert_equal :redefined, 5 - 3
  ensure
    Integer.class_eval { alias_method :-, :plain_minus }
    assert_equal 2, 5 - 3
  end
end
