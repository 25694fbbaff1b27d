m = Mutex.new
begin
  m.unlock
rescue ThreadError => e
  p e.message  # => "Attempt to unlock a mutex which is not locked"
end
m.lock
Thread.new do
  m.unlock
rescue ThreadError => e
  p e.message  # => "Attempt to unlock a mutex which is locked by another thread/fiber"
end.join
p m.owned?  # => true
