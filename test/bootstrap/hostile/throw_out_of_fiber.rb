f = Fiber.new { throw :x }
begin
  catch(:x) { f.resume }
rescue UncaughtThrowError => e
  p e.message  # => "uncaught throw :x"
end
