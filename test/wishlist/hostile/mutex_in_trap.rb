m = Mutex.new
Signal.trap("USR1") do
  m.lock
rescue ThreadError => e
  p e.message
end
Process.kill("USR1", Process.pid)
sleep 0.2
# => "can't be called from trap context"
