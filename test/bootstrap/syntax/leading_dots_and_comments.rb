r = [1, 2, 3]
  # comment
  .map { _1 + 1 }
  .select(&:even?)
  &.first
p r  # => 2
v = 1 +
  # comment
  2
p v  # => 3
p(
# => 1
# => 2
  1,
  # c
  2
)
z = true &&
  false
p z  # => false
z = true
  || false
p z  # => true
