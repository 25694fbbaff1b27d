def dive(n) = "#{n}#{dive(n + 1)}"
begin
  dive(0)
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
