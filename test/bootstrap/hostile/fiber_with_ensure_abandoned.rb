f = Fiber.new do
  Fiber.yield 1
ensure
  p :ran
end
f.resume
f = nil
GC.start
p :end
# survives
