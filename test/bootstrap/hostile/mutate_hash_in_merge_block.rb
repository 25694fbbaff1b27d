a = {x: 1, y: 2}
b = {x: 3, y: 4}
a.merge!(b) { |k, o, n| b.clear; n }
p a.is_a?(Hash)  # => true
