a = []
o = Object.new
o.define_singleton_method(:inspect) { a.clear; "x" }
a.replace([o, o, o])
p a.inspect.is_a?(String)  # => true
