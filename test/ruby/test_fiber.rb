require "test/unit"

class TestFiber < Test::Unit::TestCase
  def test_resume_and_yield
    f = Fiber.new { |x| y = Fiber.yield(x + 1); y * 2 }
    assert_equal [2, true, 20, false], [f.resume(1), f.alive?, f.resume(10), f.alive?]
    assert_equal [[1, 2], nil], [Fiber.new { Fiber.yield 1, 2 }.resume, Fiber.new { }.resume]
  end

  def test_errors
    f = Fiber.new { }
    f.resume
    assert_raise_with_message(FiberError, "attempt to resume a terminated fiber") { f.resume }
    assert_raise(FiberError) { Fiber.yield }
    g = Fiber.new { g.resume }
    assert_raise_with_message(FiberError, "attempt to resume the current fiber") { g.resume }
    assert_raise(ArgumentError) { Fiber.new }
  end

  def test_exceptions
    f = Fiber.new { raise IOError, "in" }
    assert_raise_with_message(IOError, "in") { f.resume }
    assert_equal false, f.alive?
    g = Fiber.new do
      Fiber.yield
    rescue => e
      e.message
    end
    g.resume
    assert_equal "sent", g.raise("sent")
  end

  def test_nesting_and_locals
    f = Fiber.new { a = 1; Fiber.new { a += 1; Fiber.yield a; a }.then { |g| [g.resume, g.resume] } }
    assert_equal [2, 2], f.resume
  end

  def test_generators
    gen = Fiber.new { 3.times { |i| Fiber.yield i }; nil }
    out = []
    while (x = gen.resume)
      out << x
    end
    assert_equal [0, 1, 2], out
  end

  def test_ensure_and_break
    log = []
    f = Fiber.new do
      [1, 2].each { |x| Fiber.yield x; break }
      :out
    ensure
      log << :ensure
    end
    assert_equal [1, :out, [:ensure]], [f.resume, f.resume, log]
  end

  def test_many_switches
    f = Fiber.new { loop { Fiber.yield } }
    10_000.times { f.resume }
    assert_predicate f, :alive?
  end

  def test_deep_stack_in_fiber
    def self.dive(n) = n == 0 ? Fiber.yield(:bottom) : dive(n - 1)
    f = Fiber.new { dive(1_000); :top }
    assert_equal [:bottom, :top], [f.resume, f.resume]
  end

  def test_current
    assert_instance_of Fiber, Fiber.current
    f = Fiber.new { Fiber.current }
    assert_same f, f.resume
  end

  def test_parking_inside_a_fiber
    q = Queue.new
    t = Thread.new { Fiber.new { q.pop }.resume }
    Thread.pass until t.stop?
    q << :item
    assert_equal :item, t.value
  end
end
