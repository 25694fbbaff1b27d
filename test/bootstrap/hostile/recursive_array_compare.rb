a = [1]
a << a
b = [1]
b << b
p a <=> a, a == a  # => 0
# => true
p (a <=> b).nil? || (a <=> b) == 0  # => true
