stop = false
busy = Thread.new { i = 0; i += 1 until stop; i }
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
5.times { sleep 0.001 }
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
stop = true
p busy.value > 0  # => true
p elapsed < 5  # => true
