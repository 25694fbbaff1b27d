def dive
  raise "deeper"
rescue
  dive
end
begin
  dive
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
