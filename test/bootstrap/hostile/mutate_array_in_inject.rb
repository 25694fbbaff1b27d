a = [1, 2, 3]
p a.inject { |s, x| a.clear; s + x }  # => 3
