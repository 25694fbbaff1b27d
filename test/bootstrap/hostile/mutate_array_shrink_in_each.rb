a = [1, 2, 3, 4]
seen = []
a.each { |x| seen << x; a.clear if x == 2 }
p seen, a  # => [1, 2]
# => []
