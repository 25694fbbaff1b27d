class Deep
  include Enumerable
  def each(&block) = map(&block)
end
begin
  Deep.new.each { }
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
