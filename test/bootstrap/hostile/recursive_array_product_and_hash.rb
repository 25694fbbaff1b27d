a = []
a << a
p a.hash.is_a?(Integer)  # => true
h = {}
h[h] = 1
p h.hash.is_a?(Integer), h.size  # => true
# => 1
