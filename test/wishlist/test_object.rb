require "test/unit"

class TestObject < Test::Unit::TestCase
  def test_conversion_messages
    assert_raise_with_message(TypeError, "no implicit conversion of Object into String") { "" + Object.new }
    assert_raise_with_message(TypeError, "no implicit conversion of nil into Integer") { [1][nil] }
    assert_raise_with_message(TypeError, "no implicit conversion of String into Integer") { [1]["a"] }
  end
end
