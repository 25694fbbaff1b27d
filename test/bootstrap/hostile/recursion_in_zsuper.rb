class Deep
  def self.new(*) = super
  def initialize(*) = Deep.new(*[])
end
begin
  Deep.new
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
