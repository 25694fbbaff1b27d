begin
  Thread.current.raise("self")
rescue => e
  p e.message  # => "self"
end
begin
  Thread.new { Thread.main.raise("from below") }.join
  sleep 1
rescue => e
  p e.message  # => "from below"
end
