q = Queue.new
q << 1
q.push(2).enq(3)
p [q.size, q.length, q.empty?, q.pop, q.shift, q.deq, q.empty?, q.num_waiting]  # => [3, 3, false, 1, 2, 3, true, 0]
p Queue.new([1, 2]).size  # => 2
q << 5
q.clear
p q.size  # => 0
c = Thread.new { Array.new(3) { q.pop } }
3.times { |i| q << i }
p c.value  # => [0, 1, 2]
p q.pop(timeout: 0.01)  # => nil
