begin
  p eval("!" * 20_000 + "true")
rescue SyntaxError, SystemStackError
  p true  # => true
end
