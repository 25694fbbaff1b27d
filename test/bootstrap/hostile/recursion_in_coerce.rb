class Deep
  def coerce(other) = [self, other + self]
end
begin
  1 + Deep.new
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
