p [Random.new(42).rand(100), Random.new(42).rand, Random.new(1).bytes(2).size, [1, 2, 3, 4, 5].shuffle(random: Random.new(3)), [1, 2, 3].sample(random: Random.new(9)), Random.new(5).seed, Random.rand(1.0).class, Random.new(7).rand(1..6), Random.new(7).rand(2.5)]
# => [51, 0.3745401188473625, 2, [4, 5, 2, 1, 3], 3, 5, Float, 5, 0.19077072343489293]
