t = Thread.new { sleep }
t.name = "worker"
p [t.name, t.priority, (t.priority = 2), t.group == ThreadGroup::Default, t.inspect.include?("worker")]
# => ["worker", 0, 2, true, true]
t.kill
