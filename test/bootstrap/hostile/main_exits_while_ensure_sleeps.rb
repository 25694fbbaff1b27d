t = Thread.new do
  sleep
ensure
  p :cleaned
end
Thread.pass until t.stop?
# => :cleaned
