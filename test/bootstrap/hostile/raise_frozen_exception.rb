e = RuntimeError.new("x").freeze
begin
  raise e
rescue => x
  p x.class, x.message  # => RuntimeError
  # => "x"
end
# survives
