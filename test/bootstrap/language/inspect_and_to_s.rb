class A; def initialize = (@a = 1; @b = "x"); end
puts A.new.inspect.sub(/0x\h+/, "0x")  # => #<A:0x @a=1, @b="x">
puts A.new.to_s.sub(/0x\h+/, "0x")  # => #<A:0x>
puts Class.new.inspect.sub(/0x\h+/, "0x")  # => #<Class:0x>
p [nil.to_s, nil.inspect, true.to_s, :a.inspect, :"a b".inspect, "a\"b".inspect, 1.0.inspect]
# => ["", "nil", "true", ":a", ":\"a b\"", "\"a\\\"b\"", "1.0"]
p [{a: nil}.inspect, A, Comparable, :+, :[]=, :"9a", :a?, :B!, :"", :"a="]  # => ["{a: nil}", A, Comparable, :+, :[]=, :"9a", :a?, :B!, :"", :a=]
