a = [1, 2, 3, 4]
seen = []
a.reverse_each { |x| seen << x; a.pop; a.pop }
p seen  # => [4, 2]
