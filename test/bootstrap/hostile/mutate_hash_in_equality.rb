h = {}
o = Object.new
o.define_singleton_method(:==) { |x| h.clear; true }
h[:a] = o
h[:b] = o
p h == {a: 1, b: 1}
# survives
