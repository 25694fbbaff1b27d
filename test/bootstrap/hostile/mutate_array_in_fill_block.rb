a = [1, 2, 3]
a.fill { |i| a.clear; i }
p a.is_a?(Array)  # => true
