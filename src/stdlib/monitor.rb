# Monitor: a lock that its owner may take again, with conditions to wait for.

class Monitor
  def initialize
    @lock = Thread::Mutex.new
    @depth = 0
  end

  def enter
    @lock.lock unless @lock.owned?
    @depth += 1
    nil
  end
  alias mon_enter enter

  def try_enter
    return false unless @lock.owned? || @lock.try_lock
    @depth += 1
    true
  end
  alias mon_try_enter try_enter
  alias try_mon_enter try_enter

  def exit
    mon_check_owner
    @depth -= 1
    @lock.unlock if @depth == 0
    nil
  end
  alias mon_exit exit

  def synchronize
    enter
    begin
      yield
    ensure
      self.exit
    end
  end
  alias mon_synchronize synchronize

  def mon_locked?
    @lock.locked?
  end

  def mon_owned?
    @lock.owned?
  end

  def mon_check_owner
    raise ThreadError, "current thread not owner" unless @lock.owned?
  end

  def new_cond
    MonitorMixin::ConditionVariable.new(self)
  end

  # Lets go of the whole depth while waiting; the depth is back when the wait is over.
  def wait_for_cond(condition, timeout)
    depth = @depth
    @depth = 0
    begin
      condition.wait(@lock, timeout)
    ensure
      @depth = depth
    end
    true
  end
end

# Makes any object a monitor: `include MonitorMixin`, or `object.extend(MonitorMixin)`.
module MonitorMixin
  class ConditionVariable
    def initialize(monitor)
      @monitor = monitor
      @condition = Thread::ConditionVariable.new
    end

    def wait(timeout = nil)
      @monitor.mon_check_owner
      @monitor.wait_for_cond(@condition, timeout)
    end

    def wait_while
      wait while yield
    end

    def wait_until
      wait until yield
    end

    def signal
      @monitor.mon_check_owner
      @condition.signal
    end

    def broadcast
      @monitor.mon_check_owner
      @condition.broadcast
    end
  end

  def self.extend_object(object)
    super
    object.__send__(:mon_initialize)
  end

  def mon_enter
    @mon_data.enter
  end

  def mon_exit
    @mon_data.exit
  end

  def mon_try_enter
    @mon_data.try_enter
  end
  alias try_mon_enter mon_try_enter

  def mon_locked?
    @mon_data.mon_locked?
  end

  def mon_owned?
    @mon_data.mon_owned?
  end

  def mon_synchronize(&block)
    @mon_data.synchronize(&block)
  end
  alias synchronize mon_synchronize

  def new_cond
    MonitorMixin::ConditionVariable.new(@mon_data)
  end

  private

  def initialize(...)
    super
    mon_initialize
  end

  def mon_initialize
    @mon_data = ::Monitor.new
  end
end
