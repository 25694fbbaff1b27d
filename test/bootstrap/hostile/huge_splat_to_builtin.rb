begin
  [].push(*Array.new(3_000_000, 1))
rescue SystemStackError, ArgumentError
end
p :ok  # => :ok
