h = {a: 1}
begin
  h.each { h.rehash }
rescue => e
  p e.class, e.message  # => RuntimeError
  # => "rehash during iteration"
end
