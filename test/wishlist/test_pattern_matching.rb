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

  def test_errors
    assert_raise(NoMatchingPatternError) { case 5; in String then 1; end }
    e = assert_raise(NoMatchingPatternKeyError) { {a: 1} => {b:} }
    assert_equal [:b, {a: 1}], [e.key, e.matchee]
    assert_equal NoMatchingPatternError, NoMatchingPatternKeyError.superclass
  end
end
