a = (0...200).to_a.reverse
begin
  a.sort! { |x, y| a.clear; x <=> y }
rescue RuntimeError, FrozenError
end
p a.is_a?(Array)  # => true
