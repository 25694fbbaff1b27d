a = []
a << a
b = []
b << b
p a == b, a.eql?(b), a.hash == b.hash  # => true
# => true
# => true
