a = Mutex.new
b = Mutex.new
t1 = Thread.new { a.lock; sleep 0.05; b.lock }
t2 = Thread.new { b.lock; sleep 0.05; a.lock }
begin
  t1.join
  t2.join
rescue Exception => e
  p e.class  # => fatal
end
