p [1, 2, 3].map { |x| next x * 10 if x == 2; x }  # => [1, 20, 3]
p [1, 2, 3].map { |x| next if x == 2; x }  # => [1, nil, 3]
p [1, 2].map { |x| next x, x }  # => [[1, 1], [2, 2]]
