p [5.tap { |x| x + 1 }, 5.then { |x| x + 1 }, 5.itself, 5.instance_of?(Integer), 5.kind_of?(Comparable), Integer === 5, 5.dup, nil.to_a, :a.then { _1 }, [1].frozen?, 5.singleton_methods, Object.new.singleton_methods]
# => [5, 6, 5, true, true, true, 5, [], :a, false, [], []]
