p (1..).first(3), (1..10**20).last(2)  # => [1, 2, 3]
# => [99999999999999999999, 100000000000000000000]
begin
  (1..).last
rescue RangeError => e
  p e.message  # => "cannot get the last element of endless range"
end
begin
  (..1).first
rescue RangeError => e
  p e.message  # => "cannot get the first element of beginless range"
end
begin
  (..1).each { }
rescue TypeError => e
  p e.message  # => "can't iterate from NilClass"
end
