a, (b, *c), *d, e = 1, [2, 3, 4], 5, 6, 7
p [a, b, c, d, e]  # => [1, 2, [3, 4], [5, 6], 7]
*a, b = nil
p a, b  # => []
# => nil
a, b = b, a
a = *nil, *[1], *1..2
p a  # => [1, 1, 2]
o = Object.new
def o.to_a = 5
begin
  [*o]
rescue TypeError => e
  p e.message  # => "can't convert Object into Array (Object#to_a gives Integer)"
end
