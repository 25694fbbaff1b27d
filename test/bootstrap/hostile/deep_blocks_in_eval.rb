depth = 2_000
begin
  eval("tap { " * depth + "1" + " }" * depth)
rescue SyntaxError, SystemStackError
end
p :ok  # => :ok
