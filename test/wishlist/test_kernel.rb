require "test/unit"

class TestKernel < Test::Unit::TestCase
  def test_p_returns_its_arguments
    out, $stdout = $stdout, File.open("/dev/null", "w")
    results = [p, p(1), p(1, 2)]
    $stdout = out
    assert_equal [nil, 1, [1, 2]], results
  ensure
    $stdout = out
  end

  def test_autoload_and_at_exit_return
    assert_instance_of Proc, at_exit { }
    assert_equal true, __dir__.end_with?("ruby")
  end
end
