m = Mutex.new
f = Fiber.new { m.lock; Fiber.yield; m.unlock }
f.resume
begin
  m.unlock
rescue ThreadError => e
  p e.message  # => "Attempt to unlock a mutex which is locked by another thread/fiber"
end
f.resume
p m.locked?  # => false
