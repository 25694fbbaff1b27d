def m(a = []) = (a << 1)
m
p m  # => [1]
