h = {b: 1, a: 2}
h[:c] = 3
h.delete(:b)
h[:b] = 4
p h  # => {a: 2, c: 3, b: 4}
p [h.map { |k, v| [k, v] }, h.each_with_index.to_a, h.select { |k, v| v > 2 }, h.reject { |k, v| v > 2 }, h.min_by { |k, v| v }, h.sort_by { |k, v| -v }, h.find { |k, v| v == 3 }, h.partition { |k, v| v > 2 }]
# => [[[:a, 2], [:c, 3], [:b, 4]], [[[:a, 2], 0], [[:c, 3], 1], [[:b, 4], 2]], {c: 3, b: 4}, {a: 2}, [:a, 2], [[:b, 4], [:c, 3], [:a, 2]], [:c, 3], [[[:c, 3], [:b, 4]], [[:a, 2]]]]
p [h.each_with_object([]) { |(k, v), m| m << k }, h.reduce(0) { |s, (k, v)| s + v }, h.group_by { |k, v| v.odd? }, h.to_h { |k, v| [v, k] }, h.filter_map { |k, v| k if v > 2 }]
# => [[:a, :c, :b], 9, {false => [[:a, 2], [:b, 4]], true => [[:c, 3]]}, {2 => :a, 3 => :c, 4 => :b}, [:c, :b]]
