class Thread::Mutex
  def synchronize
    raise ThreadError, "must be called with a block" unless __block_given
    __mutex_lock(self)
    begin
      yield
    ensure
      __mutex_unlock(self)
    end
  end
end
