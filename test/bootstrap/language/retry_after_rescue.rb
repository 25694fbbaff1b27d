n = 0
r = begin
  n += 1
  raise "x" if n < 3
  n
rescue
  retry
end
p r  # => 3
