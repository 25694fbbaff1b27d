require "set"
s = Set[1, 2, 3]
p [s, s.include?(2), s | [4], s & [1], s - [1], s.subset?(Set[1, 2, 3, 4]), s.add(1).size, s << 5, s.to_a, s == Set[5, 3, 2, 1], Set.new([1, 1]).size, s.map { |x| x * 2 }.class, [1, 1].to_set, s.delete(5).size, s.add?(1), s ^ [1, 9]]
# => [Set[1, 2, 3], true, Set[1, 2, 3, 4], Set[1], Set[2, 3], true, 3, Set[1, 2, 3], [1, 2, 3, 5], true, 1, Array, Set[1], 3, nil, Set[2, 3, 9]]
