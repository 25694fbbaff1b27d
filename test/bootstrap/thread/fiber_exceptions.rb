f = Fiber.new { raise "in fiber" }
begin
  f.resume
rescue => e
  p e.message  # => "in fiber"
end
g = Fiber.new do
  Fiber.yield 1
rescue => e
  [:rescued, e.message]
end
g.resume
p g.raise("thrown in")  # => [:rescued, "thrown in"]
