[2**40, 2**62, 2**64, -1].each do |n|
  Array.new(n)
rescue ArgumentError, NoMemoryError, RangeError => e
  p e.class
end
# survives
