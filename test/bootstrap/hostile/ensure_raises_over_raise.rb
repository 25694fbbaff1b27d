begin
  begin
    raise "first"
  ensure
    raise "second"
  end
rescue => e
  p e.message, e.cause.message  # => "second"
  # => "first"
end
