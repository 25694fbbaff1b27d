t = Thread.new { sleep }
begin
  t.raise(1)
rescue TypeError => e
  p e.message  # => "exception class/object expected"
end
t.kill
t.join
