class Deep
  def respond_to?(name, all = false) = [self].flatten.respond_to?(name, all)
  def respond_to_missing?(name, all) = respond_to?(name, all)
  def method_missing(...) = [self].flatten(...)
end
begin
  Deep.new.respond_to?(:x)
rescue SystemStackError => e
  p e.class
else
  p SystemStackError  # => SystemStackError
end
# beyond ruby
