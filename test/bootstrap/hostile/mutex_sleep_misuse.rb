m = Mutex.new
begin
  m.sleep(0.01)
rescue ThreadError => e
  p e.message  # => "Attempt to unlock a mutex which is not locked"
end
m.lock
begin
  m.sleep(-1)
rescue ArgumentError => e
  p e.message  # => "time interval must not be negative"
end
p [Integer, NilClass].include?(m.sleep(0.001).class), m.locked?  # => true
# => true
