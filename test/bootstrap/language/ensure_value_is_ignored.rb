def m
  1
ensure
  2
end
p m  # => 1
x = begin
  3
ensure
  4
end
p x  # => 3
