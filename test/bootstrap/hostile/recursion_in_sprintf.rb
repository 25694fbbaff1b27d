class Deep
  def to_s = format("%s", self)
end
begin
  Deep.new.to_s
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
# beyond ruby
