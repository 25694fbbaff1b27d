a = []
o = Object.new
o.define_singleton_method(:to_s) { a.clear; "x" }
a.replace([o, o, o])
p a.join.is_a?(String)  # => true
