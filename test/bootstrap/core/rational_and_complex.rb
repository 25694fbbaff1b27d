p [Rational(3, 6), 3r / 4, 1 / 3r + 1, Rational("2/3"), 0.75.to_r, Rational(7, 2).floor, Rational(7, 2).round, Rational(1, 3).to_f.round(3), Rational(1, 2) == 0.5, Rational(1, 2) <=> 1, 2 ** -2]
# => [(1/2), (3/4), (4/3), (2/3), (3/4), 3, 4, 0.333, true, -1, (1/4)]
p [Complex(1, 2) * Complex(0, 1), Complex(3, 4).abs, Complex("1+2i"), 2i * 2i, Complex(1, 2).conjugate, Complex(1, 2).rectangular, Complex(1, 0) == 1]
# => [(-2+1i), 5.0, (1+2i), (-4+0i), (1-2i), [1, 2], true]
