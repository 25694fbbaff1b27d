depth = 10_000
begin
  eval("(" * depth + "1" + ")" * depth)
  p :ok
rescue SyntaxError, SystemStackError
  p :ok  # => :ok
end
