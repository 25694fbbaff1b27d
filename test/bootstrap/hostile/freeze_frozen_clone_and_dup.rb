a = "x".freeze
p a.dup.frozen?, a.clone.frozen?, a.clone(freeze: false).frozen?  # => false
# => true
# => false
begin
  a.clone(freeze: 1)
rescue ArgumentError => e
  p e.message  # => "unexpected value for freeze: Integer"
end
begin
  1.clone(freeze: false)
rescue ArgumentError => e
  p e.message  # => "can't unfreeze Integer"
end
