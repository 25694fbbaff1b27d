q = SizedQueue.new(2)
log = []
t = Thread.new { 5.times { |i| q << i; log << i } }
Thread.pass until t.stop?
p [q.size, q.max, log]  # => [2, 2, [0, 1]]
p Array.new(5) { q.pop }  # => [0, 1, 2, 3, 4]
t.join
begin
  2.times { q << 1 }
  q.push(1, true)
rescue ThreadError => e
  p e.message  # => "queue full"
end
p q.push(1, timeout: 0.01)  # => nil
