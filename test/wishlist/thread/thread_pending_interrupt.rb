t = Thread.new do
  Thread.handle_interrupt(RuntimeError => :never) do
    sleep 0.1
    Thread.pending_interrupt?
  end
rescue => e
  e.message
end
Thread.pass until t.stop?
t.raise "x"
p t.value  # => "x"
