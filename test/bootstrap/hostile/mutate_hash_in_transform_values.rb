h = {a: 1, b: 2, c: 3}
begin
  h.transform_values! { |v| h.delete(:b); v }
rescue => e
end
p h.is_a?(Hash)  # => true
