list = nil
500_000.times { list = [list] }
GC.start
depth = 0
while list
  list = list[0]
  depth += 1
end
p depth  # => 500000
