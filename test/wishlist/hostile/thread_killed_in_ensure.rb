log = []
t = Thread.new do
  begin
    sleep
  ensure
    log << :ensure
    Thread.current.kill
    log << :never
  end
end
Thread.pass until t.stop?
t.kill
t.join
p log, t.status  # => [:ensure, :never]
# => false
