def m(a, b = a + 1, *c, d, e: 5, f: e + 1, **g, &h) = [a, b, c, d, e, f, g, h&.call]
p m(1, 2)  # => [1, 2, [], 2, 5, 6, {}, nil]
p m(1, 2, 3)  # => [1, 2, [], 3, 5, 6, {}, nil]
p m(1, 2, 3, 4, e: 1)  # => [1, 2, [3], 4, 1, 2, {}, nil]
p m(1, 2, z: 3) { :blk }  # => [1, 2, [], 2, 5, 6, {z: 3}, :blk]
p method(:m).arity, method(:m).parameters
# => -3
# => [[:req, :a], [:opt, :b], [:rest, :c], [:req, :d], [:key, :e], [:key, :f], [:keyrest, :g], [:block, :h]]
