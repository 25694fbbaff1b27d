def find(rows)
  rows.each { |row| row.each { |x| return x if x > 2 } }
  nil
end
p find([[1, 2], [3, 4]])  # => 3
p find([[1]])  # => nil
