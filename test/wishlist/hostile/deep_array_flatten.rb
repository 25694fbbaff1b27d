a = [7]
200_000.times { a = [a] }
p a.flatten  # => [7]
