def dive(&block) = [1].each { dive(&block) }
begin
  dive { }
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
