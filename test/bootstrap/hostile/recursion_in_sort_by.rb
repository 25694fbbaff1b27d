def dive(a) = a.sort_by { dive(a) }
begin
  dive([2, 1])
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
