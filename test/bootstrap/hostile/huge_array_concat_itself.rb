a = [1, 2]
a.concat(a, a)
p a  # => [1, 2, 1, 2, 1, 2]
a.push(*a)
a.replace(a)
a[1, 2] = a
p a.size  # => 22
a.insert(1, *a)
a.unshift(*a)
p a.size  # => 88
