a = [3, 1, 2]
begin
  a.map! { |x| a.freeze; x }
rescue => e
  p e.class  # => FrozenError
end
b = [3, 1, 2]
begin
  b.sort! { |x, y| b.freeze; x <=> y }
rescue => e
  p e.class  # => FrozenError
end
h = {a: 1}
begin
  h.transform_values! { h.freeze; 2 }
rescue => e
  p e.class  # => FrozenError
end
