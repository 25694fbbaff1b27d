Thread.report_on_exception = false
Thread.abort_on_exception = true
begin
  Thread.new { raise "up" }
  sleep 2
rescue => e
  p e.message  # => "up"
end
