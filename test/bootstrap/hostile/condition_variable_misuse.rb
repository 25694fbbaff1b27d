cv = ConditionVariable.new
m = Mutex.new
begin
  cv.wait(m, 0.01)
rescue ThreadError => e
  p e.message  # => "Attempt to unlock a mutex which is not locked"
end
p cv.signal.equal?(cv), cv.broadcast.equal?(cv)  # => true
# => true
m.synchronize { p cv.wait(m, 0.01).nil? || true }  # => true
begin
  Marshal.dump(cv)
rescue TypeError => e
  p e.message  # => "can't dump Thread::ConditionVariable"
end
