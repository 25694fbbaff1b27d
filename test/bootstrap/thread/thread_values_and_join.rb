t = Thread.new(1, 2) { |a, b| a + b }
p t.value  # => 3
p t.join.equal?(t)  # => true
p 10.times.map { |i| Thread.new { i * i } }.map(&:value)  # => [0, 1, 4, 9, 16, 25, 36, 49, 64, 81]
p Thread.new { Thread.current[:x] = 1; Thread.current[:x] }.value  # => 1
p Thread.current == Thread.main, Thread.list.size
# => true
# => 1
p Thread.new { }.join(1).class  # => Thread
