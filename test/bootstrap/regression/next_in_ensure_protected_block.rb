p [1, 2, 3].map { |x| begin; next x * 2 if x < 3; 0; ensure; x; end }  # => [2, 4, 0]
