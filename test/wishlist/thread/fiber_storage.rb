Fiber[:x] = 1
p Fiber.new { [Fiber[:x], (Fiber[:x] = 2), Fiber[:x]] }.resume  # => [1, 2, 2]
p Fiber[:x]  # => 1
p Fiber.new(storage: {y: 5}) { [Fiber[:x], Fiber[:y]] }.resume  # => [nil, 5]
