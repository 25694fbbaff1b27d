def try = yield rescue p($!.class, $!.message)
f = Fiber.new { }
f.resume
try { f.resume }  # => FiberError
# => "attempt to resume a terminated fiber"
try { Fiber.yield }  # => FiberError
# => "attempt to yield on a not resumed fiber"
try { Fiber.new }  # => ArgumentError
# => "tried to create Proc object without a block"
g = nil
g = Fiber.new { g.resume }
try { g.resume }  # => FiberError
# => "attempt to resume the current fiber"
h = nil
h = Fiber.new { Fiber.new { h.resume }.resume }
try { h.resume }  # => FiberError
# => "attempt to resume a resumed fiber (double resume)"
