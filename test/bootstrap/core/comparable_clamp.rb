p [5.clamp(..3), 5.clamp(7..), 1.5.clamp(1, 2), "b".clamp("a", "c"), 5.between?(5, 5)]  # => [3, 7, 1.5, "b", true]
