Thread.report_on_exception = false
t = Thread.new do
  n = 0
  Thread.handle_interrupt(RuntimeError => :never) do
    begin
      Thread.handle_interrupt(RuntimeError => :immediate) { loop { Thread.pass } }
    rescue
      n += 1
      retry if n < 50
    end
  end
  n
end
while t.alive?
  t.raise("again") unless t.pending_interrupt?
  Thread.pass
end
begin
  p t.value
rescue RuntimeError
  p 50  # => 50
end
