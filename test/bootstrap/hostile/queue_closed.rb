q = Queue.new
q << 1
q.close
begin
  q << 2
rescue ClosedQueueError => e
  p e.message  # => "queue closed"
end
p q.pop, q.pop, q.closed?, q.close.equal?(q)  # => 1
# => nil
# => true
# => true
