a = (0...200).to_a.reverse
b = a.sort { |x, y| a.pop; a << 1; x <=> y }
p b.size  # => 200
