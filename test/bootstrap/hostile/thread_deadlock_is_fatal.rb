m = Mutex.new
m.lock
Thread.new { m.lock }.join  # raises fatal
# stderr: No live threads left. Deadlock?
