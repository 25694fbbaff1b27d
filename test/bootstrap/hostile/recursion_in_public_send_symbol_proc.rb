class Deep
  def dive = [self].each(&:dive)
end
begin
  Deep.new.dive
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
