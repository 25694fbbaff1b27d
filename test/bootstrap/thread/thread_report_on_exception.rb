t = Thread.new { raise "reported" }
begin
  t.join
rescue
end
p :after  # => :after
# stderr: terminated with exception (report_on_exception is true):
# stderr: reported (RuntimeError)
