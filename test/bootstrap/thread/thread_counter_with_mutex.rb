m = Mutex.new
n = 0
8.times.map { Thread.new { 500.times { m.synchronize { n += 1 } } } }.each(&:join)
p n  # => 4000
