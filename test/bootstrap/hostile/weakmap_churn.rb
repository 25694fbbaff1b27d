m = ObjectSpace::WeakMap.new
10_000.times { |i| m["k#{i}"] = Object.new }
GC.start
p m.size <= 10_000  # => true
m.each { |k, v| k }
