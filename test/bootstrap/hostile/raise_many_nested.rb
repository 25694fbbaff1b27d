def dive(n)
  raise "bottom" if n == 0
  begin
    dive(n - 1)
  rescue => e
    raise "level #{n}"
  end
end
begin
  dive(500)
rescue => e
  depth = 0
  depth += 1 while (e = e.cause)
  p depth  # => 500
end
