r, w = IO.pipe
t = Thread.new do
  r.read
rescue IOError => e
  e.message
end
Thread.pass until t.stop?
r.close
p t.value  # => "stream closed in another thread"
