require "test/unit"

class TestThread < Test::Unit::TestCase
  def test_handle_interrupt
    log = []
    t = Thread.new do
      Thread.handle_interrupt(RuntimeError => :never) do
        log << :in
        Thread.pass until log.include?(:sent)
        log << :still
      end
    rescue => e
      log << e.message
    end
    Thread.pass until log.include?(:in)
    t.raise("late")
    log << :sent
    t.join
    assert_equal [:in, :sent, :still, "late"], log
  end

  def test_priority_name_group
    t = Thread.new { sleep }
    Thread.pass until t.stop?
    t.name = "w"
    t.priority = 1
    assert_equal ["w", 1, ThreadGroup::Default], [t.name, t.priority, t.group]
    assert_match(/#<Thread:0x\h+@w .*test_thread\.rb:\d+ sleep/, t.inspect)
    t.kill
  end

  def test_each_thread_has_its_own_match
    "main" =~ /m/
    Thread.new { "x" =~ /x/ }.join
    assert_equal "m", $&
  end

  def test_fiber_local_and_backtrace
    t = Thread.new { sleep }
    Thread.pass until t.stop?
    assert_instance_of Array, t.backtrace
    t.kill.join
    assert_nil t.backtrace
  end
end
