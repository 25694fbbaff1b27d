begin
  begin
    raise "inner"
  rescue => e
    raise "outer"
  end
rescue => e
  p e.message, e.cause.message, e.cause.cause
# => "outer"
# => "inner"
# => nil
end
begin
  begin
    raise "inner"
  rescue
    raise "alone", cause: nil
  end
rescue => e
  p e.cause  # => nil
end
