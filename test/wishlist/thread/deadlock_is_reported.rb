Queue.new.pop
# raises fatal: No live threads left. Deadlock?
# stderr: sleep_forever
