sum = 0
[1, 2].each { |x| sum += x }
puts sum
