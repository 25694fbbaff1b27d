p (1..60).to_a.combination(30).size  # => 118264581564861424
p (1..30).to_a.permutation.size  # => 265252859812191058636308480000000
p (1..30).to_a.repeated_combination(20).size  # => 28277527346376
