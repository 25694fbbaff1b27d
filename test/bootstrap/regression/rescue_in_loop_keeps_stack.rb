r = []
5.times do |i|
  x = [1, (raise "a" if i.even?; 2), 3] rescue [i]
  r << x
end
p r  # => [[0], [1, 2, 3], [2], [1, 2, 3], [4]]
