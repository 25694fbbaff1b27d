depth = 20_000
begin
  eval("[" * depth + "]" * depth)
rescue SyntaxError, SystemStackError
end
p :ok  # => :ok
