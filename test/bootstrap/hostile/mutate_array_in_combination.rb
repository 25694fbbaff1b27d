a = [1, 2, 3, 4]
n = 0
a.combination(2) { a.clear; n += 1 }
p n  # => 6
