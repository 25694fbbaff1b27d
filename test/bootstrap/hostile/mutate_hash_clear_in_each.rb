h = (0...100).to_h { |i| [i, i] }
n = 0
h.each { n += 1; h.clear }
p n, h.empty?  # => 1
# => true
