n = 0
begin n += 1 end while false
p n  # => 1
n += 1 while false
p n  # => 1
