a = [7]
100_000.times { a = [a] }
r = begin
  a.hash.is_a?(Integer)
rescue SystemStackError
  true
end
p r  # => true
