r = (1..10)
p [r.sum, r.step(3).to_a, r % 4, r.include?(5), r.cover?(2..3), r === 3.5, r.min, r.max, r.minmax, r.first(2), r.last(2), r.size, r.to_a.size, (1...10).size, r.each_slice(4).to_a, r.reverse_each.first(2), ("a".."e").step(2).to_a, (1.0..2.0).include?(1.5), (1..10).count(&:even?)]
# => [55, [1, 4, 7, 10], ((1..10).%(4)), true, true, true, 1, 10, [1, 10], [1, 2], [9, 10], 10, 10, 9, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]], [10, 9], ["a", "c", "e"], true, 5]
p [(1..3).eql?(1..3), (1..3) == (1...4), (1..3).hash == (1..3).hash, (1..nil).inspect, ("a".."z").cover?("bb"), ("a".."z").include?("bb"), (1..3).inject(:*), ((1..3).each_entry.to_a), (0.5..2.5).step(0.5).to_a, (1..3).to_s, (1..).first(2), (1..10).bsearch { |x| x >= 7 }, (1..3).overlap?(3..4), Range.new(1, 3, true)]
# => [true, false, true, "1..", true, false, 6, [1, 2, 3], [0.5, 1.0, 1.5, 2.0, 2.5], "1..3", [1, 2], 7, true, 1...3]
