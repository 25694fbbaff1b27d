begin
  eval("x = (1 + ")
rescue SyntaxError => e
  p e.is_a?(ScriptError), e.message.empty?  # => true
  # => false
end
