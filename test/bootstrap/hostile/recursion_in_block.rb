dive = proc { dive.call }
begin
  dive.call
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
