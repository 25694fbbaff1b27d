require "test/unit"

class TestThread < Test::Unit::TestCase
  def test_value_and_join
    assert_equal [3, 6], [Thread.new(1, 2) { |a, b| a + b }.value, Thread.new { 6 }.value]
    t = Thread.new { }
    assert_same t, t.join
    assert_nil Thread.new { sleep }.join(0.001)
  end

  def test_many
    assert_equal 499_500, 1000.times.map { |i| Thread.new { i } }.sum(&:value)
  end

  def test_status
    t = Thread.new { sleep }
    Thread.pass until t.stop?
    assert_equal ["sleep", true, true], [t.status, t.alive?, t.stop?]
    t.kill.join
    assert_equal [false, false, true], [t.status, t.alive?, t.stop?]
    assert_equal "run", Thread.current.status
    u = Thread.new { Thread.current.report_on_exception = false; raise "x" }
    assert_raise(RuntimeError) { u.join }
    assert_nil u.status
  end

  def test_exceptions
    t = Thread.new { Thread.current.report_on_exception = false; raise IOError, "gone" }
    assert_raise_with_message(IOError, "gone") { t.join }
    assert_raise_with_message(IOError, "gone") { t.value }
  end

  def test_raise_wakes_a_sleeper
    t = Thread.new do
      sleep
    rescue => e
      [e.class, e.message]
    end
    Thread.pass until t.stop?
    t.raise(ArgumentError, "up")
    assert_equal [ArgumentError, "up"], t.value
    assert_nil t.raise("dead already")
  end

  def test_kill_runs_ensure
    log = []
    t = Thread.new do
      sleep
    ensure
      log << :ensure
    end
    Thread.pass until t.stop?
    t.kill
    assert_same t, t.join
    assert_equal [:ensure], log
    assert_nil t.value
  end

  def test_locals
    t = Thread.new { Thread.current[:a] = 1; Thread.current.thread_variable_set(:b, 2); sleep }
    Thread.pass until t.stop?
    assert_equal [1, 2, nil, true, [:a]], [t[:a], t.thread_variable_get(:b), t[:zz], t.key?(:a), t.keys]
    t.kill
    assert_nil Thread.current[:a]
  end

  def test_stop_wakeup_run
    t = Thread.new { Thread.stop; :awake }
    Thread.pass until t.stop?
    t.wakeup
    assert_equal :awake, t.value
    u = Thread.new { sleep; :ran }
    Thread.pass until u.stop?
    u.run
    assert_equal :ran, u.value
    assert_raise(ThreadError) { u.wakeup }
  end

  def test_list_and_main
    t = Thread.new { sleep }
    assert_include Thread.list, t
    assert_include Thread.list, Thread.main
    t.kill.join
    assert_not_include Thread.list, t
    assert_same Thread.main, Thread.current
  end

  def test_computing_threads_share
    counts = [0, 0]
    stop = false
    ts = 2.times.map { |i| Thread.new { counts[i] += 1 until stop } }
    sleep 0.3
    stop = true
    ts.each(&:join)
    assert_equal true, counts.all? { |c| c > 0 }
  end

  def test_sleeper_is_not_starved_by_a_computing_thread
    stop = false
    t = Thread.new { i = 0; i += 1 until stop }
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    3.times { sleep 0.001 }
    assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - start, :<, 3
  ensure
    stop = true
    t.join
  end

  def test_errors
    assert_raise_with_message(ThreadError, "must be called with a block") { Thread.new }
    assert_raise_with_message(ThreadError, "Target thread must not be current thread") { Thread.current.join }
  end

  def test_thread_in_thread
    assert_equal 10, Thread.new { Thread.new { Thread.new { 10 }.value }.value }.value
  end

  def test_abort_on_exception
    assert_equal false, Thread.abort_on_exception
    Thread.report_on_exception = false
    t = Thread.new { Thread.current.abort_on_exception = true; raise EOFError, "abort" }
    assert_raise_with_message(EOFError, "abort") { sleep 5 }
  ensure
    Thread.report_on_exception = true
  end
end
