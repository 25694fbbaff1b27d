begin
  p eval(Array.new(20_000, "1").join("+"))
rescue SyntaxError, SystemStackError
  p 20_000  # => 20000
end
