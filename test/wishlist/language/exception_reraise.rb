begin
  begin
    raise KeyError, "k"
  rescue => e
    raise
  end
rescue => f
  p e.equal?(f)  # => true
end
begin
  raise
rescue RuntimeError => e
  p e.message  # => ""
end
