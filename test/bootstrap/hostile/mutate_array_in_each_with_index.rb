a = [1, 2, 3]
a.each_with_index { |x, i| a.delete_at(0) }
p a  # => [3]
