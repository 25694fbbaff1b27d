n = 0
while (n += 1) < 1_000
  begin
    raise "x"
  rescue
    next
  ensure
    next
  end
end
p n  # => 1000
