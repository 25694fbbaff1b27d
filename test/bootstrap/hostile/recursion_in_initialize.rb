class Deep
  def initialize = @child = self.class.new
end
begin
  Deep.new
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
