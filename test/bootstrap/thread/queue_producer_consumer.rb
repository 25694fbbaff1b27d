q = Queue.new
producer = Thread.new { 100.times { |i| q << i }; q.close }
sum = 0
while (x = q.pop)
  sum += x
end
producer.join
p [sum, q.closed?, q.empty?]  # => [4950, true, true]
