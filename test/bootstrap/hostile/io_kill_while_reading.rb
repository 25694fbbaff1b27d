r, w = IO.pipe
t = Thread.new { r.read(1) }
Thread.pass until t.stop?
t.kill
p t.join(5).equal?(t)  # => true
