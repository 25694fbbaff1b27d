S = Struct.new(:me)
s = S.new
s.me = s
p s  # => #<struct S me=#<struct S:...>>
p s == s, s.hash.is_a?(Integer)  # => true
# => true
