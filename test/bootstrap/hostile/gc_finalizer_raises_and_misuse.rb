def try = yield rescue p($!.class, $!.message)
ObjectSpace.define_finalizer(Object.new, proc { raise "ignored" })
GC.start
try { ObjectSpace.define_finalizer(Object.new, 5) }  # => ArgumentError
# => "wrong type argument Integer (should be callable)"
try { ObjectSpace.define_finalizer(1, proc { }) }  # => ArgumentError
# => "cannot define finalizer for Integer"
try { ObjectSpace._id2ref(-1) }
p :alive
# survives
