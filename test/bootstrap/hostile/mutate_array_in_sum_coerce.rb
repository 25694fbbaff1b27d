a = []
o = Object.new
o.define_singleton_method(:coerce) { |x| a.clear; [x, 1] }
a.replace([1, o, o, 2])
p a.sum.is_a?(Integer)  # => true
