m = Mutex.new
m.lock
order = []
ts = 5.times.map { |i| t = Thread.new { m.synchronize { order << i } }; Thread.pass until t.stop?; t }
m.unlock
ts.each(&:join)
p order  # => [0, 1, 2, 3, 4]
