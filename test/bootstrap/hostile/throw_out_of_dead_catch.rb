tag = nil
catch { |t| tag = t }
begin
  throw tag
rescue UncaughtThrowError => e
  p e.message.start_with?("uncaught throw #<Object:0x")  # => true
end
