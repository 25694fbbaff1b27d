h = {a: 1}
begin
  h.each { |k, v| h[:"#{k}x"] = v }
rescue => e
  p e.class, e.message  # => RuntimeError
  # => "can't add a new key into hash during iteration"
end
