q = Queue.new
ts = 10.times.map { Thread.new { q.pop } }
Thread.pass until ts.all?(&:stop?)
q.close
p ts.map(&:value).uniq  # => [nil]
s = SizedQueue.new(1)
s << 1
t = Thread.new do
  s << 2
rescue ClosedQueueError => e
  e.class
end
Thread.pass until t.stop?
s.close
p t.value  # => ClosedQueueError
