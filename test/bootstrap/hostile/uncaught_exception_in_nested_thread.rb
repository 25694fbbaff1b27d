Thread.report_on_exception = false
t = Thread.new { Thread.new { raise IOError, "deep" }.join }
begin
  t.join
rescue IOError => e
  p e.message  # => "deep"
end
