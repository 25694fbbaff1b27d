m = Mutex.new
begin
  m.synchronize { m.unlock }
rescue ThreadError => e
  p e.message
end
p m.locked?
# => "Attempt to unlock a mutex which is not locked"
# => false
# survives
