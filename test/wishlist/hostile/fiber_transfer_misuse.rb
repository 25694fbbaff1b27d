f = Fiber.new { Fiber.yield }
f.resume
begin
  f.transfer
rescue FiberError => e
  p e.message  # => "attempt to transfer to a yielding fiber"
end
g = Fiber.new { |x| x }
p g.transfer(3)  # => 3
