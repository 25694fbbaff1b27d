Thread.report_on_exception = false
t = Thread.new { raise ArgumentError, "from thread" }
begin
  t.join
rescue => e
  p [e.class, e.message]  # => [ArgumentError, "from thread"]
end
