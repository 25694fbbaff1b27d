class Deep
  def to_s = [self].join
end
begin
  [Deep.new].join
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
# beyond ruby
