class Deep
  def to_str = "" + self
end
begin
  "" + Deep.new
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
