s = +"x"
20.times { s << s }
p s.size  # => 1048576
s = +"ab"
s.concat(s, s)
p s  # => "ababab"
s.insert(2, s)
p s  # => "abababababab"
s.prepend(s)
p s.size  # => 24
s.replace(s)
p s.size  # => 24
s[0, 2] = s
p s.size  # => 46
