pr = proc { |a, (b, *c), d = 4, *e, f, g:, h: 8, **i, &j| [a, b, c, d, e, f, g, h, i] }
p pr.call(1, [2, 3], 9, g: 7, z: 0)  # => [1, 2, [3], 4, [], 9, 7, 8, {z: 0}]
p [[1, [2, 3]]].map { |a, (b, c)| [a, b, c] }  # => [[1, 2, 3]]
p proc { |a,| a }.call([1, 2]), proc { |*| 1 }.call, proc { |a; b| b = a }.call(5), proc { || 2 }.call, ->(a, b = a) { b }.(3), -> a, b { a + b }.(1, 2), -> { 4 }.call
# => 1
# => 1
# => 5
# => 2
# => 3
# => 3
# => 4
