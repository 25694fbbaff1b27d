class Deep
  def self.inherited(klass) = Class.new(klass)
end
begin
  Class.new(Deep)
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
