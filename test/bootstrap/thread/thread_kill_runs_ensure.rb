log = []
t = Thread.new do
  begin
    sleep
  ensure
    log << :ensure
  end
end
Thread.pass until t.stop?
t.kill
t.join
p [log, t.alive?, t.value]  # => [[:ensure], false, nil]
