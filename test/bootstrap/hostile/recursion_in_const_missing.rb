class Deep
  def self.const_missing(name) = const_get(name)
end
begin
  Deep::Nowhere
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
