a = [3, 1, 2, nil, 1]
a.compact!
p a  # => [3, 1, 2, 1]
p [a.uniq!, a.sort!, a.reverse!, a.map! { |x| x + 1 }, a.select! { |x| x > 2 }, a.reject! { |x| x > 100 }]
# => [[4, 3], [4, 3], [4, 3], [4, 3], [4, 3], nil]
a.push(1, 2).unshift(0)
p [a.pop, a.shift, a.insert(1, :x), a.delete(:x), a.delete_at(0), a.concat([7], [8]), a.fill(0, 1), a.clear]  # => [2, 0, [], :x, 4, [], [], []]
