p [1 <=> "a", "a" <=> :a, nil <=> nil, [1] <=> ["a"], {} <=> 1, 1 == "1", 1.eql?(1.0), 1 == 1.0]  # => [nil, nil, 0, nil, nil, false, false, true]
p [[1, "a"].min_by(&:to_s), 2**64 == (2**64).to_f, 2**64 <=> Float::INFINITY, 1 <=> Float::NAN]  # => [1, true, -1, nil]
