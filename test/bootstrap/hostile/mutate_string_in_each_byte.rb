s = +"abcdef"
n = 0
s.each_byte { n += 1; s.clear if n == 2 }
p n  # => 2
