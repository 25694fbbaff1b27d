t = Thread.new do
  Thread.current.report_on_exception = false
  Thread.current.abort_on_exception = true
  raise "abort all"
end
sleep 5
# raises RuntimeError: abort all
