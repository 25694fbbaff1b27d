a = [1, 2, 3, 1]
a.uniq! { |x| a.clear if x == 3; x }
p a.is_a?(Array)  # => true
