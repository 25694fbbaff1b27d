20_000.times { |i| Fiber.new { Fiber.yield i }.resume }
GC.start
p :alive  # => :alive
