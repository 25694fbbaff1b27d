p 4.times.map { |i| Thread.new { f = Fiber.new { 3.times { |j| Fiber.yield i * 10 + j } }; 3.times.map { f.resume } } }.map(&:value)
# => [[0, 1, 2], [10, 11, 12], [20, 21, 22], [30, 31, 32]]
