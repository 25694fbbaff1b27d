ts = 8.times.map { Thread.new { 20.times { GC.start; Array.new(100) { |i| i.to_s } } } }
ts.each(&:join)
p :alive  # => :alive
