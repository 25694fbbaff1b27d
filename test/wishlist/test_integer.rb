require "test/unit"

class TestInteger < Test::Unit::TestCase
  def test_is_its_own_constant
    assert_same 1, 1
    assert_predicate 1, :frozen?
    assert_equal 3, 1.object_id
    assert_raise(TypeError) { def (n = 1).x = 1 }
    assert_raise(NoMethodError) { Integer.new }
  end
end
