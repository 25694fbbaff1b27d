h = {a: 1, b: 2}
p [h.transform_values { |v| v * 2 }, h.transform_keys(&:to_s), h.transform_keys({a: :x}), h.merge({c: 3}, {a: 9}), h.merge({a: 5}) { |k, o, n| o + n }, h.slice(:a), h.except(:a), h.invert, h.compact, h.sum { |k, v| v }, h.each_slice(1).to_a]
# => [{a: 2, b: 4}, {"a" => 1, "b" => 2}, {x: 1, b: 2}, {a: 9, b: 2, c: 3}, {a: 6, b: 2}, {a: 1}, {b: 2}, {1 => :a, 2 => :b}, {a: 1, b: 2}, 3, [[[:a, 1]], [[:b, 2]]]]
h.store("k", 1)
h.delete_if { |k, v| v == 1 }
h.update(z: 0)
p [h, h.shift, h.length, h.clear, h.compare_by_identity.compare_by_identity?]  # => [{}, [:b, 2], 1, {}, true]
p [{a: 1} <= {a: 1, b: 2}, {a: 1} > {}, {a: {b: 1}}.dig(:a, :b), {a: nil}.compact, {1 => 2}.assoc(1), {a: 1}.eql?({a: 1}), {a: 1}.hash == {a: 1}.hash, {a: 1, b: 2} == {b: 2, a: 1}]
# => [true, true, 1, {}, [1, 2], true, true, true]
