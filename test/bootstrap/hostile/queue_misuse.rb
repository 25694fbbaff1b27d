def try = yield rescue p($!.class, $!.message)
try { Queue.new(1) }  # => TypeError
# => "can't convert Integer into Array"
try { SizedQueue.new(0) }  # => ArgumentError
# => "queue size must be positive"
try { SizedQueue.new("a") }  # => TypeError
# => "no implicit conversion of String into Integer"
try { SizedQueue.new(1).tap { |q| q << 1 }.push(2, true) }  # => ThreadError
# => "queue full"
try { Queue.new.pop(true) }  # => ThreadError
# => "queue empty"
try { Queue.new.pop(true, timeout: 1) }  # => ArgumentError
# => "can't set a timeout if non_block is enabled"
try { SizedQueue.new(1).max = -1 }  # => ArgumentError
# => "queue size must be positive"
p Queue.new.pop(timeout: 0), Queue.new.pop(timeout: 0.01)  # => nil
# => nil
try { Queue.new.freeze }  # => TypeError
# => "cannot freeze #<Thread::Queue:0x0>"
# survives
