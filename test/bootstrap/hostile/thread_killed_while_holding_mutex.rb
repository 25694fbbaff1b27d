m = Mutex.new
t = Thread.new { m.lock; sleep }
Thread.pass until t.stop?
t.kill
t.join
p m.locked?  # => false
p m.try_lock  # => true
