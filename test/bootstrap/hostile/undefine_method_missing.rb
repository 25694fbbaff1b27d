class BasicObject
  undef_method :method_missing rescue nil
end
begin
  Object.new.nothing
rescue NameError, NoMethodError => e
  p e.class
end
# survives
