fibers = Array.new(5_000) { |i| Fiber.new { Fiber.yield i; :end } }
p fibers.sum(&:resume)  # => 12497500
p fibers.all? { |f| f.resume == :end }  # => true
