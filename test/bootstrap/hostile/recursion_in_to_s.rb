class Deep
  def to_s = "#{self.class} #{to_s}"
end
begin
  puts Deep.new
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
