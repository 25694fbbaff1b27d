require "test/unit"

class TestFiber < Test::Unit::TestCase
  def test_transfer
    log = []
    b = nil
    a = Fiber.new { log << 1; b.transfer; log << 3; :end }
    b = Fiber.new { log << 2; a.transfer }
    assert_equal [:end, [1, 2, 3]], [a.transfer, log]
  end

  def test_storage
    Fiber[:k] = 1
    assert_equal [1, 2, 1], [Fiber.new { Fiber[:k] }.resume, Fiber.new { Fiber[:k] = 2 }.resume, Fiber[:k]]
  ensure
    Fiber[:k] = nil
  end
end
