start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
ts = 1000.times.map { Thread.new { sleep 0.2 } }
ts.each(&:join)
p Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < 5  # => true
