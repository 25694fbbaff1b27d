a = {}
a[:x] = a
b = {}
b[:x] = b
p a == b, a.to_s  # => true
# => "{x: {...}}"
