def m(a = [1, 2].map { |x| x * 2 }, b = a.map { |x| x + 1 }) = [a, b]
p m  # => [[2, 4], [3, 5]]
