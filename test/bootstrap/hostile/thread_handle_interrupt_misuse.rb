def try = yield rescue p($!.class)
try { Thread.handle_interrupt(RuntimeError => :sometimes) { } }  # => ArgumentError
try { Thread.handle_interrupt(1 => :never) { } }
try { Thread.handle_interrupt(RuntimeError => :never) }  # => ArgumentError
# survives
