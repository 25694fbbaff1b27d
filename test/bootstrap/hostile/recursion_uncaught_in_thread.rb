def dive = dive()
Thread.report_on_exception = false
thread = Thread.new { dive }
begin
  thread.join
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
