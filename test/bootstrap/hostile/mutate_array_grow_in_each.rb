a = [1]
a.each { |x| a << x + 1 if a.size < 1000 }
p a.size  # => 1000
