depth = 2_000
begin
  eval('"#{' * depth + "1" + '}"' * depth)
rescue SyntaxError, SystemStackError
end
p :ok  # => :ok
