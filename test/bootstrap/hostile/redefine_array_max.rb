class Array
  def max = :mine
  def min = :mine
  def hash = 7
end
a = 1
p [a, 2].max, [a, 3].min, [a, 4].hash  # => :mine
# => :mine
# => 7
