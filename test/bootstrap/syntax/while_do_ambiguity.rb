i = 0
while i < 2 do i += 1 end
until i == 0 do i -= 1 end
for x in [1, 2] do i += x end
p i  # => 3
loop do break end
i += 1 while i < 10
p i  # => 10
