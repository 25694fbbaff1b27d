a = []
b = []
50_000.times { a = [a]; b = [b] }
r = begin
  a == b
rescue SystemStackError
  true
end
p r  # => true
