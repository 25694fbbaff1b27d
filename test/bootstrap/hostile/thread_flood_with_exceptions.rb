Thread.report_on_exception = false
threads = 500.times.map { |i| Thread.new { raise "n#{i}" if i.odd?; i } }
p threads.count { |t| t.value rescue nil }  # => 250
