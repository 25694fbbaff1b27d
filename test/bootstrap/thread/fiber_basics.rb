f = Fiber.new { |x| y = Fiber.yield(x * 2); y + 1 }
p [f.resume(5), f.alive?, f.resume(10), f.alive?]  # => [10, true, 11, false]
p Fiber.new { Fiber.yield 1, 2 }.resume  # => [1, 2]
p Fiber.new { }.resume  # => nil
g = Fiber.new { Fiber.new { Fiber.yield :inner; :x }.resume }
p g.resume  # => :inner
