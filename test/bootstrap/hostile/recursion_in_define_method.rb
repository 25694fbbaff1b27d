class Deep
  define_method(:dive) { |n = 0| dive(n + 1) }
end
begin
  Deep.new.dive
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
