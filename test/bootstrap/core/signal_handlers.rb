$log = []
old = trap("USR1") { |n| $log << n }
Process.kill("USR1", Process.pid)
sleep 0.01 while $log.empty?
p [old, $log == [Signal.list["USR1"]], trap("USR1", "DEFAULT").class, Signal.signame(15)]  # => ["DEFAULT", true, Proc, "TERM"]
