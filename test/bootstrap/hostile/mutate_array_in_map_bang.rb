a = [1, 2, 3, 4, 5]
a.map! { |x| a.pop; x }
p a.size <= 5  # => true
