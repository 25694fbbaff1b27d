s = +"abc"
p s[2**62], s[2**62, 1], s[0, 2**62]  # => nil
# => nil
# => "abc"
begin
  s[2**62] = "x"
rescue IndexError => e
  p e.message  # => "index 4611686018427387904 out of string"
end
