r, w = IO.pipe
w.puts "via pipe"
w.close
p [r.gets, r.gets, r.eof?]  # => ["via pipe\n", nil, true]
p [`echo hi`, $?.success?, $?.exitstatus, system("exit 3"), $?.exitstatus, IO.popen("echo a; echo b").read, IO.popen(["echo", "x y"], &:read)]
# => ["hi\n", true, 0, false, 3, "a\nb\n", "x y\n"]
pid = fork { exit 7 }
Process.wait(pid)
p $?.exitstatus  # => 7
p Process.wait2(spawn("exit 2"))[1].exitstatus  # => 2
