t = Thread.new do
  Fiber.new { sleep }.resume
end
Thread.pass until t.stop?
t.kill
p t.join.equal?(t)  # => true
