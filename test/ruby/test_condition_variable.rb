require "test/unit"

class TestConditionVariable < Test::Unit::TestCase
  def test_signal_wakes_one
    m, cv, woken = Mutex.new, ConditionVariable.new, []
    ts = 3.times.map { |i| t = Thread.new { m.synchronize { cv.wait(m); woken << i } }; Thread.pass until t.stop?; t }
    m.synchronize { cv.signal }
    ts[0].join
    assert_equal [0], woken
    m.synchronize { cv.broadcast }
    ts.each(&:join)
    assert_equal [0, 1, 2], woken.sort
  end

  def test_timeout
    m, cv = Mutex.new, ConditionVariable.new
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    m.synchronize { cv.wait(m, 0.01) }
    assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - start, :>=, 0.009
    assert_equal false, m.locked?
  end

  def test_lock_is_held_after_wait
    m, cv = Mutex.new, ConditionVariable.new
    t = Thread.new { m.synchronize { cv.wait(m); m.owned? } }
    Thread.pass until t.stop?
    m.synchronize { cv.signal }
    assert_equal true, t.value
  end

  def test_bounded_buffer
    m, not_full, not_empty, buffer = Mutex.new, ConditionVariable.new, ConditionVariable.new, []
    producer = Thread.new do
      100.times { |i| m.synchronize { not_full.wait(m) while buffer.size >= 3; buffer << i; not_empty.signal } }
    end
    got = 100.times.map { m.synchronize { not_empty.wait(m) while buffer.empty?; not_full.signal; buffer.shift } }
    producer.join
    assert_equal (0...100).to_a, got
  end

  def test_nobody_waiting
    cv = ConditionVariable.new
    assert_same cv, cv.signal
    assert_same cv, cv.broadcast
    assert_same Thread::ConditionVariable, ConditionVariable
  end

  def test_killed_while_waiting
    m, cv = Mutex.new, ConditionVariable.new
    t = Thread.new { m.synchronize { cv.wait(m) } }
    Thread.pass until t.stop?
    t.kill.join
    assert_equal false, m.locked?
  end
end
