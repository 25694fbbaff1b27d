def try = yield rescue p($!.class)
try { `no_such_command_at_all` }  # => Errno::ENOENT
try { Process.wait(999_999) }  # => Errno::ECHILD
try { Process.kill(0, 2**40) }
p system("no_such_command_at_all"), system("exit 3"), $?.exitstatus  # => nil
# => false
# => 3
try { Process.clock_gettime(99_999) }  # => Errno::EINVAL
try { Process.clock_gettime(Process::CLOCK_MONOTONIC, :nope) }  # => ArgumentError
# survives
