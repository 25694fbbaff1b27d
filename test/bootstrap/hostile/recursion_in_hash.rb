class Deep
  def hash = [self].hash
end
begin
  {Deep.new => 1}
rescue SystemStackError => e
  p e.class
else
  p SystemStackError  # => SystemStackError
end
