# Timeout.timeout: a block that may not take longer than it is given.

module Timeout
  # Raised in the caller when the time is up.
  class Error < RuntimeError
    def self.handle_timeout(message)
      raise self, message
    end
  end

  # What is sent into the block: not a StandardError, so that a `rescue => e` inside lets it through.
  class ExitException < Exception
    def exception(*)
      self
    end
  end

  # Yields `seconds`; nil or 0 is no limit. With a class, that class is raised inside the block instead.
  def self.timeout(seconds, klass = nil, message = nil)
    return yield(seconds) if seconds.nil? || seconds == 0
    raise ArgumentError, "Timeout sec must be a non-negative number" if seconds < 0
    message ||= "execution expired"
    over = klass ? klass.new(message) : ExitException.new(message)
    caller_thread = Thread.current
    lock = Thread::Mutex.new
    done = false
    watcher = Thread.new do
      sleep seconds
      lock.synchronize { caller_thread.raise(over) unless done }
    end
    begin
      yield seconds
    rescue ExitException => error
      raise error unless error.equal?(over)
      raise Error, message
    ensure
      lock.synchronize { done = true }
      watcher.kill
    end
  end

  def timeout(*args, &block)
    Timeout.timeout(*args, &block)
  end
  private :timeout
end
