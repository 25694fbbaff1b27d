require "test/unit"

class TestMutex < Test::Unit::TestCase
  def test_lock_and_unlock
    m = Mutex.new
    assert_equal [false, m, true, true], [m.locked?, m.lock, m.locked?, m.owned?]
    assert_equal false, m.try_lock
    assert_same m, m.unlock
    assert_equal true, m.try_lock
    assert_same Mutex, Thread::Mutex
  end

  def test_synchronize
    m = Mutex.new
    assert_equal :value, m.synchronize { :value }
    assert_raise(IOError) { m.synchronize { raise IOError } }
    catch(:x) { m.synchronize { throw :x } }
    def self.leave(m) = m.synchronize { return 1 }
    leave(m)
    [1].each { m.synchronize { break } }
    assert_equal false, m.locked?
  end

  def test_errors
    m = Mutex.new
    assert_raise_with_message(ThreadError, /not locked/) { m.unlock }
    m.lock
    assert_raise_with_message(ThreadError, "deadlock; recursive locking") { m.lock }
    assert_raise_with_message(ThreadError, "deadlock; recursive locking") { m.synchronize { } }
    Thread.new { assert_raise_with_message(ThreadError, /locked by another thread/) { m.unlock } }.join
    assert_raise(ThreadError) { Mutex.new.synchronize }
  end

  def test_exclusion
    m = Mutex.new
    n = inside = most = 0
    20.times.map do
      Thread.new do
        50.times do
          m.synchronize do
            inside += 1
            most = inside if inside > most
            Thread.pass
            n += 1
            inside -= 1
          end
        end
      end
    end.each(&:join)
    assert_equal [1000, 1], [n, most]
  end

  def test_waiters_are_served_in_order
    m = Mutex.new.lock
    order = []
    ts = 10.times.map do |i|
      t = Thread.new { m.synchronize { order << i } }
      Thread.pass until t.stop?
      t
    end
    m.unlock
    ts.each(&:join)
    assert_equal (0...10).to_a, order
  end

  def test_sleep_releases_the_lock
    m = Mutex.new
    t = Thread.new { m.synchronize { m.sleep; :back } }
    Thread.pass until t.stop?
    m.synchronize { t.wakeup }
    assert_equal :back, t.value
    m.lock
    m.sleep(0.001)
    assert_predicate m, :owned?
  end

  def test_killed_owner_lets_go
    m = Mutex.new
    t = Thread.new { m.lock; sleep }
    Thread.pass until t.stop?
    t.kill.join
    assert_equal false, m.locked?
  end

  def test_killed_waiter_leaves_the_queue
    m = Mutex.new.lock
    a = Thread.new { m.lock; :a }
    Thread.pass until a.stop?
    b = Thread.new { m.lock; :b }
    Thread.pass until b.stop?
    a.kill.join
    m.unlock
    assert_equal :b, b.value
  end

  def test_raise_into_a_waiter
    m = Mutex.new.lock
    t = Thread.new do
      m.lock
    rescue => e
      e.message
    end
    Thread.pass until t.stop?
    t.raise("interrupted")
    assert_equal "interrupted", t.value
    assert_predicate m, :owned?
  end

  def test_monitor
    require "monitor"
    m = Monitor.new
    assert_equal :deep, m.synchronize { m.synchronize { :deep } }
    assert_equal true, m.try_enter
    m.exit
    assert_raise(ThreadError) { m.exit }
  end
end
