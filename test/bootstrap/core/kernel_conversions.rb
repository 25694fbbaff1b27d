p [Integer("0b11", 2), Integer("-12"), Integer("1_000"), Integer(3.99), Float("1e3"), String(nil), Array("a"), Array([1]), Array(a: 1), Integer("zz", 36), Integer("0o17"), Rational("0.5"), Complex("i")]
# => [3, -12, 1000, 3, 1000.0, "", ["a"], [1], [[:a, 1]], 1295, 15, (1/2), (0+1i)]
