a = nil
p [a&.x, a&.x&.y, a&.x(1), a.to_s&.size]  # => [nil, nil, nil, 0]
a&.x = 1
p (a&.x ||= 5)  # => nil
b = "s"
p b&.upcase&.downcase  # => "s"
