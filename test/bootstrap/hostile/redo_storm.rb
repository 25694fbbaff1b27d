n = 0
[1, 2].each do
  n += 1
  redo if n < 100_000
end
p n  # => 100001
