# A plain sleep waits for a signal or a wakeup from outside: the only thread may do it.
main = Process.pid
pid = fork { sleep 0.2; Process.kill(:INT, main); exit! }
begin
  sleep
rescue Interrupt
  puts "woken" # => woken
end
Process.wait(pid)
