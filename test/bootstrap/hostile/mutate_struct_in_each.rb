S = Struct.new(:a, :b)
s = S.new(1, 2)
s.each { s.a = nil; s.b = nil }
p s.to_a  # => [nil, nil]
