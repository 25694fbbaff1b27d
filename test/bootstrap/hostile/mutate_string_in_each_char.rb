s = +"abc"
n = 0
s.each_char { n += 1; s.clear }
p n  # => 3
