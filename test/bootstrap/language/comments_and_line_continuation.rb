=begin
ignored
=end
x = 1 +
  2
y = [1, 2, 3]
  .map { |v| v * 2 }
  # a comment between
  .select { |v| v > 2 }
z = 5 \
  + 6
p [x, y, z]  # => [3, [4, 6], 11]
p([1,  # => [1, 2]
  2])
