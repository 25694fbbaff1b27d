depth = 2_000
begin
  eval("[" * depth + "]" * depth)
rescue SyntaxError, SystemStackError
end
p :ok  # => :ok
