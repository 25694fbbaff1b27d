def t(name) = (print name, " "; [])  # => a b c d
t(:a)[0], t(:b)[0] = t(:c), t(:d)
puts
