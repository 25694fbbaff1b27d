m = Mutex.new
woken = false
t = Thread.new { m.synchronize { m.sleep; woken = m.owned? } }
Thread.pass until t.stop?
m.synchronize { t.wakeup }
t.join
p woken  # => true
