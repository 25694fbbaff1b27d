def m = yield
begin
  m
rescue LocalJumpError => e
  p e.message  # => "no block given (yield)"
end
begin
  eval("yield")
rescue SyntaxError, LocalJumpError => e
  p e.is_a?(Exception)  # => true
end
