a = [1, 2, 3]
n = 0
a.permutation { a.clear; n += 1 }
p n  # => 6
