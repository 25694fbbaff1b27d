p [1, 2].map { _1 * 2 }  # => [2, 4]
p [[1, 2]].map { _1 + _2 }  # => [3]
p [[1, 2]].map { _1 }  # => [[1, 2]]
p [3].map { it + 1 }  # => [4]
p [[1, 2]].map { it }  # => [[1, 2]]
p proc { _2 }.arity, proc { it }.arity, lambda { it }.arity
# => 2
# => 1
# => 1
