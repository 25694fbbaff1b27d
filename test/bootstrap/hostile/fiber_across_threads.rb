f = Fiber.new { 1 }
Thread.new do
  f.resume
rescue FiberError => e
  p e.message  # => "fiber called across threads"
end.join
p f.resume  # => 1
