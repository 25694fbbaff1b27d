n = 0
begin
  n += 1
  raise "again" if n < 100_000
rescue
  retry
end
p n  # => 100000
