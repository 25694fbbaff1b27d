class Deep
  def method_missing(name, *args) = send(:"#{name}x"[0, 5], *args)
  def respond_to_missing?(*) = true
end
begin
  Deep.new.a
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
