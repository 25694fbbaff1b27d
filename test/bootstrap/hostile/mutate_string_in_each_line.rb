s = +"a\nb\nc\n"
n = 0
s.each_line { n += 1; s.replace("") }
p n  # => 3
