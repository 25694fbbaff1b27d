seed = 1
a = (0...500).to_a
r = a.sort { seed = (seed * 1103515245 + 12345) % 2**31; (seed >> 16) % 3 - 1 }
p r.size, r.sort == a  # => 500
# => true
