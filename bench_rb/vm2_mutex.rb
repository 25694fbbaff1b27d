# Mutex#synchronize with an empty block on a lock nobody else wants, 6 million times.
lock = Thread::Mutex.new
count = 0
while count < 6_000_000
  count += 1
  lock.synchronize {}
end
