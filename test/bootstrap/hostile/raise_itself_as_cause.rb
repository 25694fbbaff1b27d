e = RuntimeError.new("me")
begin
  raise e, cause: e
rescue => x
  p x.cause  # => nil
end
a = RuntimeError.new("a")
b = RuntimeError.new("b")
begin
  begin
    raise a, cause: b
  rescue
    raise b, cause: a
  end
rescue ArgumentError => x
  p x.message  # => "circular causes"
end
