Thread.report_on_exception = false
t = Thread.new { throw :x }
begin
  t.value
rescue UncaughtThrowError => e
  p e.message  # => "uncaught throw :x"
end
