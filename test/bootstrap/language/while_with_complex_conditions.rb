i = 0
i += 1 while i < 10 and i != 5
p i  # => 5
i += 1 until i >= 8 or false
p i  # => 8
a = [1, 2, 3]
while x = a.shift
  print x  # => 123
end
puts
begin
  i -= 1
end while i > 0
p i  # => 0
for a, b in [[1, 2], [3, 4]] do print a + b, " " end  # => 3 7
puts
for i in 1..3 do next if i == 2; print i end  # => 13
puts
p i  # => 3
