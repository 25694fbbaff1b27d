p [1.object_id, true.object_id, false.object_id, 2.object_id]  # => [3, 20, 0, 5]
a = Object.new
p [a.object_id == a.object_id, a.object_id == Object.new.object_id]  # => [true, false]
