t = Thread.new do
  begin
    sleep
  rescue => e
    [e.class, e.message]
  end
end
Thread.pass until t.stop?
t.raise(IOError, "wake")
p t.value  # => [IOError, "wake"]
