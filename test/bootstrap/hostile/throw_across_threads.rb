t = Thread.new do
  Thread.current.report_on_exception = false
  throw :out
end
begin
  catch(:out) { t.join }
rescue UncaughtThrowError => e
  p e.message, e.tag  # => "uncaught throw :out"
  # => :out
end
