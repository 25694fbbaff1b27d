def dive = send(:dive)
begin
  dive
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
