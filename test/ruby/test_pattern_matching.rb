require "test/unit"

class TestPatternMatching < Test::Unit::TestCase
  def m(x)
    case x
    in 0 then :zero
    in Integer | Float => n if n > 100 then [:big, n]
    in 1.. then :positive
    in String => s then [:string, s]
    in [] then :empty
    in [x] then [:one, x]
    in [Integer => a, *rest] then [a, rest]
    in {name: String => name, **rest} then [name, rest]
    in {k:} then [:k, k]
    in nil then :nil
    else :other
    end
  end

  def test_values
    assert_equal [:zero, [:big, 500], :positive, [:string, "s"], :nil, :other], [m(0), m(500), m(7), m("s"), m(nil), m(:x)]
  end

  def test_arrays
    assert_equal [:empty, [:one, 5], [1, [2, 3]], :other], [m([]), m([5]), m([1, 2, 3]), m([:a, :b])]
    case [1, [2, [3, 4]]]
    in [a, [b, [*, c]]]
      assert_equal [1, 2, 4], [a, b, c]
    end
  end

  def test_hashes
    assert_equal [["n", {x: 1}], [:k, nil], :other], [m({name: "n", x: 1}), m({k: nil}), m({z: 1})]
    case {a: 1, b: {c: [2]}}
    in {a: Integer => a, b: {c: [c]}}
      assert_equal [1, 2], [a, c]
    end
    assert_equal [true, false, true], [({a: 1} in {a: 1, **nil}), ({a: 1, b: 2} in {a: 1, **nil}), ({} in {})]
    assert_equal false, ({a: 1} in {})
  end

  def test_find_pattern
    case [1, 2, "x", :y, 3]
    in [*before, String => s, Symbol => y, *after]
      assert_equal [[1, 2], "x", :y, [3]], [before, s, y, after]
    end
    assert_equal false, ([1, 2] in [*, String, *])
  end

  def test_pins
    x = 5
    @y = 6
    assert_equal [true, false, true, true], [(5 in ^x), (6 in ^x), (6 in ^@y), (11 in ^(x + @y))]
    assert_equal [true, false], [([1, 1] in [a, ^a]), ([1, 2] in [b, ^b])]
  end

  def test_alternatives_and_guards
    r = [1, "a", nil].map do |v|
      case v
      in Integer | String => x unless x == "a" then x
      in nil | "a" then :alt
      end
    end
    assert_equal [1, :alt, :alt], r
  end

  def test_rightward_assignment
    {name: "n", tags: [1, 2]} => {name:, tags: [first, *]}
    assert_equal ["n", 1], [name, first]
    [1, [2, 3]] => [a, [b, c]]
    assert_equal [1, 2, 3], [a, b, c]
  end

  def test_errors
    assert_raise(NoMatchingPatternError) { case 5; in String then 1; end }
    e = assert_raise(NoMatchingPatternKeyError) { {a: 1} => {b:} }
    assert_equal [:b, {a: 1}], [e.key, e.matchee]
    assert_equal NoMatchingPatternError, NoMatchingPatternKeyError.superclass
  end

  def test_deconstruct
    c = Class.new do
      attr_reader :asked
      def deconstruct = [1, 2]
      def deconstruct_keys(keys)
        @asked = keys
        {x: 1, y: 2}
      end
    end
    o = c.new
    case o
    in [a, b] then assert_equal [1, 2], [a, b]
    end
    case o
    in {x:, y: 2} then assert_equal [1, [:x, :y]], [x, o.asked]
    end
    case o
    in {x:, **rest} then assert_equal [{y: 2}, nil], [rest, o.asked]
    end
    bad = Class.new { def deconstruct = 1 }
    assert_raise_with_message(TypeError, "deconstruct must return Array") { bad.new in [a] }
  end

  def test_constants_and_ranges
    assert_equal [true, true, false, true], [(5 in 1..9), (5 in ..9), ("b" in "c".."d"), (Float::INFINITY in Float)]
    TestPatternMatching.const_set(:Pair, Struct.new(:l, :r))
    case Pair.new(1, 2)
    in Pair[l, r] then assert_equal [1, 2], [l, r]
    end
  end
end
