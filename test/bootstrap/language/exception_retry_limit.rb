attempts = []
begin
  attempts << attempts.size
  raise ArgumentError if attempts.size < 4
rescue ArgumentError
  retry
end
p attempts  # => [0, 1, 2, 3]
