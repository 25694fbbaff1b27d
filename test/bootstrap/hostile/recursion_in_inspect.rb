class Deep
  def inspect = "#{[self].inspect}"
end
begin
  p Deep.new
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
# beyond ruby
