a = [1, 2, 3]
n = 0
a.cycle { n += 1; a.clear if n == 5 }
p n  # => 5
