m = Mutex.new
cv = ConditionVariable.new
ready = false
got = nil
t = Thread.new { m.synchronize { cv.wait(m) until ready; got = :woken } }
Thread.pass until t.stop?
m.synchronize { ready = true; cv.signal }
t.join
p got  # => :woken
n = 0
ts = 5.times.map { Thread.new { m.synchronize { cv.wait(m); n += 1 } } }
Thread.pass until ts.all?(&:stop?)
m.synchronize { cv.broadcast }
ts.each(&:join)
p n  # => 5
m.synchronize { p cv.wait(m, 0.01).equal?(cv) || true }  # => true
