m = Mutex.new
p [m.locked?, m.try_lock, m.try_lock, m.owned?, m.locked?, m.unlock.equal?(m), m.synchronize { :v }, m.lock.equal?(m)]
# => [false, true, false, true, true, true, :v, true]
p Thread.new { [m.owned?, m.try_lock] }.value  # => [false, false]
begin
  Mutex.new.synchronize { raise "x" }
rescue => e
  p e.message  # => "x"
end
p Thread::Mutex.equal?(Mutex)  # => true
