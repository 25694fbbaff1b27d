def dive(n) = Fiber.new { dive(n + 1) }.resume
begin
  dive(0)
rescue SystemStackError, FiberError, NoMemoryError => e
  p e.is_a?(Exception)  # => true
end
