t = Thread.new { sleep }
Thread.pass until t.stop?
p [t.backtrace.class, t.backtrace.any?]  # => [Array, true]
t.kill
t.join
p t.backtrace  # => nil
