a = [1, 2, 3]
e = Object.new
e.define_singleton_method(:each) { |&b| a.clear; b.call(1); b.call(2); b.call(3) }
e.extend(Enumerable)
p a.zip(e).is_a?(Array)  # => true
