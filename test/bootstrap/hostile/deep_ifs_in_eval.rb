depth = 3_000
begin
  eval("if true; " * depth + "1" + "; end" * depth)
rescue SyntaxError, SystemStackError
end
p :ok  # => :ok
