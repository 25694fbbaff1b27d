x = 10
[1].each { |y; x| x = y }
p x  # => 10
[5].each { |x| x += 1 }
p x  # => 10
1.times { z = 1 }
p defined?(z)  # => nil
