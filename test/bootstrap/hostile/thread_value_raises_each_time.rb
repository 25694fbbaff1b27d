t = Thread.new { Thread.current.report_on_exception = false; raise "x" }
2.times do
  t.value
rescue => e
  p e.message
end
# => "x"
# => "x"
