f = Fiber.new { raise "inside" }
begin
  f.resume
rescue => e
  p e.message, f.alive?  # => "inside"
  # => false
end
