f = Fiber.new { 1 }
f.resume
begin
  f.resume
rescue FiberError => e
  p e.message  # => "attempt to resume a terminated fiber".sub(/a terminated/, "a terminated")
end
# survives
