log = []
t = Thread.new do
  Thread.handle_interrupt(RuntimeError => :never) do
    log << :start
    sleep 0.05
    log << :protected
  end
rescue => e
  log << e.message
end
Thread.pass until log.size == 1
t.raise("late")
t.join
p log  # => [:start, :protected, "late"]
