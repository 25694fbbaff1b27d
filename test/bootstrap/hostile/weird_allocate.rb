def try = yield rescue p($!.class)
try { Integer.allocate }  # => TypeError
try { Symbol.allocate }  # => TypeError
try { Proc.allocate }  # => TypeError
try { Method.allocate }  # => TypeError
try { NilClass.allocate }  # => TypeError
try { Class.allocate.new }  # => TypeError
try { Thread.allocate.join }  # => ThreadError
try { Fiber.allocate.resume }  # => FiberError
try { Enumerator.allocate.next }  # => ArgumentError
try { Range.allocate.each { } }  # => TypeError
p String.allocate, Array.allocate, Hash.allocate, Mutex.allocate.locked?, Exception.allocate.message  # => ""
# => []
# => {}
# => false
# => "Exception"
# survives
