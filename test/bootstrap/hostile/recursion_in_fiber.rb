def dive = dive()
fiber = Fiber.new do
  dive
rescue SystemStackError => e
  e.class
end
p fiber.resume  # => SystemStackError
p Fiber.new { 1 }.resume  # => 1
