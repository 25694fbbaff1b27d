p (1..3).map { |i| -> { i } }.map(&:call)  # => [1, 2, 3]
fs = []
i = 0
while i < 3
  fs << -> { i }
  i += 1
end
p fs.map(&:call)  # => [3, 3, 3]
fs = []
for j in 1..3
  fs << -> { j }
end
p fs.map(&:call)  # => [3, 3, 3]
