r, w = IO.pipe
log = []
t = Thread.new { log << r.gets }
Thread.pass until t.stop?
log << :before
w.puts "x"
t.join
p log  # => [:before, "x\n"]
