def m(h = nil, **k, &b) = [h, k, b&.call]
p m({a: 1}), m(a: 1), m({a: 1}, b: 2) { 3 }, m(**{}), m("a" => 1)
# => [{a: 1}, {}, nil]
# => [nil, {a: 1}, nil]
# => [{a: 1}, {b: 2}, 3]
# => [nil, {}, nil]
# => [nil, {"a" => 1}, nil]
