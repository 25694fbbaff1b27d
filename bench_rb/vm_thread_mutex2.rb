# Two threads share one mutex, 2 million rounds each.
threads = 2
rounds = 2_000_000

lock = Thread::Mutex.new
total = 0

workers = (1..threads).map do
  Thread.new do
    round = 0
    while round < rounds
      round += 1
      lock.synchronize { total += 1 }
    end
  end
end
workers.each { |worker| worker.join }

raise "lost an update: #{total}" unless total == 4_000_000
