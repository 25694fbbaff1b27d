f = Fiber.new { 1 }
begin
  f.raise "not born"
rescue FiberError => e
  p e.message  # => "cannot raise exception on unborn fiber"
end
f.resume
begin
  f.raise "dead"
rescue FiberError => e
  p e.message  # => "attempt to resume a terminated fiber"
end
