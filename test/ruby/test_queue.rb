require "test/unit"

class TestQueue < Test::Unit::TestCase
  def test_fifo
    q = Queue.new
    assert_same q, q.push(1)
    q << 2
    q.enq(3)
    assert_equal [3, 3, false, 1, 2, 3, true], [q.size, q.length, q.empty?, q.pop, q.shift, q.deq, q.empty?]
    assert_equal [1, 2], Queue.new([1, 2]).then { |x| [x.pop, x.pop] }
    assert_same Queue, Thread::Queue
  end

  def test_pop_waits
    q = Queue.new
    t = Thread.new { q.pop }
    Thread.pass until t.stop?
    assert_equal 1, q.num_waiting
    q << :item
    assert_equal :item, t.value
  end

  def test_waiters_are_served_in_order
    q = Queue.new
    got = []
    ts = 5.times.map { |i| t = Thread.new { got << [i, q.pop] }; Thread.pass until t.stop?; t }
    5.times { |i| q << i }
    ts.each(&:join)
    assert_equal 5.times.map { |i| [i, i] }, got.sort
  end

  def test_non_blocking_and_timeout
    q = Queue.new
    assert_raise_with_message(ThreadError, "queue empty") { q.pop(true) }
    assert_nil q.pop(timeout: 0.001)
    q << 1
    assert_equal 1, q.pop(timeout: 5)
    assert_raise_with_message(ArgumentError, "can't set a timeout if non_block is enabled") { q.pop(true, timeout: 1) }
  end

  def test_close
    q = Queue.new
    q << 1
    t = Thread.new { [q.pop, q.pop] }
    Thread.pass until t.stop?
    assert_same q, q.close
    assert_equal [[1, nil], true, nil], [t.value, q.closed?, q.pop]
    assert_raise_with_message(ClosedQueueError, "queue closed") { q << 2 }
  end

  def test_clear_and_freeze
    q = Queue.new([1, 2])
    assert_same q, q.clear
    assert_empty q
    assert_raise(TypeError) { q.freeze }
    assert_raise(TypeError) { Marshal.dump(q) }
  end

  def test_sized_queue
    q = SizedQueue.new(2)
    assert_equal 2, q.max
    q << 1 << 2
    assert_raise_with_message(ThreadError, "queue full") { q.push(3, true) }
    assert_nil q.push(3, timeout: 0.001)
    t = Thread.new { q << 3; :pushed }
    Thread.pass until t.stop?
    assert_equal [1, :pushed, 2, 3], [q.pop, t.value, q.pop, q.pop]
    q.max = 5
    assert_equal 5, q.max
    assert_raise(ArgumentError) { SizedQueue.new(0) }
  end

  def test_pipeline
    a, b = SizedQueue.new(3), Queue.new
    producer = Thread.new { 200.times { |i| a << i }; a.close }
    workers = 4.times.map { Thread.new { while (x = a.pop) do b << x * 2 end } }
    [producer, *workers].each(&:join)
    assert_equal 200.times.sum { |i| i * 2 }, b.size.times.sum { b.pop }
  end

  def test_killed_waiter
    q = Queue.new
    t = Thread.new { q.pop }
    Thread.pass until t.stop?
    t.kill.join
    q << 1
    assert_equal [1, 0], [q.size, q.num_waiting]
  end
end
