def top = 1
begin
  "x".top
rescue NoMethodError => e
  p e.message  # => "private method 'top' called for an instance of String"
end
p send(:top), Object.private_method_defined?(:top)
# => 1
# => true
