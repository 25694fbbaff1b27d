h = (0...10).to_h { |i| [i, i] }
n = 0
h.each { n += 1; h.shift }
p n <= 10  # => true
