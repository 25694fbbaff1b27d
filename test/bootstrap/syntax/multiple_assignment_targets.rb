class O; attr_accessor :x; def []=(k, v); (@h ||= {})[k] = v; end; attr_reader :h; end
o = O.new
a = []
o.x, a[0], @i, $g, (b, *o[:k]), C = 1, 2, 3, 4, [5, 6, 7], 8
p [o.x, a, @i, $g, b, o.h, C]  # => [1, [2], 3, 4, 5, {k: [6, 7]}, 8]
*, z = 1, 2, 3
p z  # => 3
a, (b, (c, d)), e = 1, [2, [3, 4]], 5
p [a, b, c, d, e]  # => [1, 2, 3, 4, 5]
(a, b), c = [1, 2], 3
p [a, b, c]  # => [1, 2, 3]
a, b = *[1], 2
p [a, b]  # => [1, 2]
