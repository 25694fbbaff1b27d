def run
  Thread.new { Thread.current.report_on_exception = false; return 1 }.join
rescue LocalJumpError => e
  e.message
end
p run  # => "unexpected return"
