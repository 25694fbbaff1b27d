a = []
o = Object.new
o.define_singleton_method(:to_ary) { a.clear; [1] }
a.replace([o, o, o])
p a.flatten.is_a?(Array)  # => true
