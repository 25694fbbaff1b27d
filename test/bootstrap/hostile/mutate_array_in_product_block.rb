a = [1, 2]
n = 0
a.product([3, 4]) { a.clear; n += 1 }
p n > 0  # => true
