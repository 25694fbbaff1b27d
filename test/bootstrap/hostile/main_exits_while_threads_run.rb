20.times { Thread.new { loop { } } }
20.times { Thread.new { sleep } }
p :bye  # => :bye
