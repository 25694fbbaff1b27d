class Deep
  def ==(other) = [self] == [other]
end
begin
  Deep.new == Deep.new
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
# beyond ruby
