require "weakref"
w = WeakRef.new("alive".dup)
p [true, false].include?(w.weakref_alive?)  # => true
m = ObjectSpace::WeakMap.new
k = "key".dup
m[k] = v = "value".dup
GC.start
p m[k], m.key?(k), m.size, v
# => "value"
# => true
# => 1
# => "value"
