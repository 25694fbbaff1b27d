# The rest of a write that was interrupted is given up, not written at exit to a pipe that nobody reads.
r, w = IO.pipe
t = Thread.new { w << "abc" * 1_000_000; w.close }
sleep 0.01 until t.stop?
puts "done" # => done
