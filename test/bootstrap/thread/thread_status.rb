t = Thread.new { sleep }
Thread.pass until t.stop?
p [t.status, t.alive?, t.stop?]  # => ["sleep", true, true]
t.wakeup
t.join
p [t.status, t.alive?, Thread.current.status]  # => [false, false, "run"]
Thread.report_on_exception = false
u = Thread.new { raise "x" }
begin; u.join; rescue; end
p u.status  # => nil
k = Thread.new { sleep }
k.kill
k.join
p k.status  # => false
