begin
  pr = proc { break }
  Thread.new { Thread.current.report_on_exception = false; pr.call }.join
rescue LocalJumpError => e
  p e.message  # => "break from proc-closure"
end
