a = [1, 2]
o = Object.new
o.define_singleton_method(:to_ary) { a.clear; [1, 2, 3] }
x, (y, z), w = a[0], o, a[1]
p x, y, z, w  # => 1
# => 1
# => 2
# => 2
