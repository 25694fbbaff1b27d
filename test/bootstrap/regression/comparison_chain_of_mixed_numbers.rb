p [1 < 1.5, 2**64 > 1e10, 1r < 1.5, 1 == 1r, 1.0.eql?(1), 1 <=> 1.5, 3 == Complex(3, 0), 2**64 == 2.0**64, (2**64 + 1) == 2.0**64, 0.1 + 0.2 == 0.3, 1.0.hash == 1.hash]
# => [true, true, true, true, false, -1, true, true, false, false, false]
