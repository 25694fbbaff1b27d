a = [1]
a << a
begin
  a.flatten
rescue ArgumentError => e
  p e.message  # => "tried to flatten recursive array"
end
p a.flatten(1).size  # => 3
