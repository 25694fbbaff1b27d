t = Thread.new { sleep 10**15 }
Thread.pass until t.stop?
t.kill
t.join
p t.alive?  # => false
begin
  sleep(-1)
rescue ArgumentError => e
  p e.message  # => "time interval must not be negative"
end
begin
  sleep("1")
rescue TypeError => e
  p e.message  # => "can't convert String into time interval"
end
