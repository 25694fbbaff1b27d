h = {a: 1, "b" => 2}
p [h[:a], h["b"], h[:z], h.fetch(:a), h.fetch(:z, 0), h.fetch(:z) { |k| k }, h.dig(:a), h.key(2), h.key?(:a), h.value?(2), h.values_at(:a, :z), h.fetch_values(:a)]
# => [1, 2, nil, 1, 0, :z, 1, "b", true, true, [1, nil], [1]]
h.default = 5
p [h[:nope], h.size, h.to_a, h.keys, h.values, h.any?, h.empty?, h.first, h.invert, h.count, h.sum { |k, v| v }]
# => [5, 2, [[:a, 1], ["b", 2]], [:a, "b"], [1, 2], true, false, [:a, 1], {1 => :a, 2 => "b"}, 2, 3]
d = Hash.new { |hash, k| hash[k] = k * 2 }
p [d[2], d, d.default_proc.class]  # => [4, {2 => 4}, Proc]
