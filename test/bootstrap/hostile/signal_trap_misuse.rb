def try = yield rescue p($!.class, $!.message)
try { trap("KILL") { } }  # => Errno::EINVAL
# => "Invalid argument - SIGKILL"
try { trap("NOPE") { } }  # => ArgumentError
# => "unsupported signal 'SIGNOPE'"
try { trap(500) { } }  # => ArgumentError
# => "invalid signal number (500)"
try { trap("VTALRM") { } }  # => ArgumentError
# => "can't trap reserved signal: SIGVTALRM"
try { Process.kill("NOPE", 0) }  # => ArgumentError
# => "unsupported signal 'SIGNOPE'"
trap("USR2") { raise "from the handler" }
begin
  Process.kill("USR2", Process.pid)
  sleep 1
rescue => e
  p e.message  # => "from the handler"
end
