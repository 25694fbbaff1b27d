f = Fiber.new do |x|
  y = Fiber.yield x + 1
  Fiber.yield y + 1
  :done
end
p [f.resume(1), f.resume(10), f.resume(0), f.alive?]  # => [2, 11, :done, false]
g = Fiber.new { |x| loop { x = Fiber.yield(x * 2) } }
p [1, 2, 3].map { |i| g.resume(i) }  # => [2, 4, 6]
