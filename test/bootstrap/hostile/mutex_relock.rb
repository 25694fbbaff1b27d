m = Mutex.new
m.lock
begin
  m.lock
rescue ThreadError => e
  p e.message  # => "deadlock; recursive locking"
end
begin
  m.synchronize { m.synchronize { } }
rescue ThreadError => e
  p e.message  # => "deadlock; recursive locking"
end
