r, w = IO.pipe
w.close
r.close
def try = yield rescue p($!.class, $!.message)
try { r.read }  # => IOError
# => "closed stream"
try { w.write("x") }  # => IOError
# => "closed stream"
p r.closed?, r.close, w.inspect.include?("closed")  # => true
# => nil
# => true
try { w.fileno }  # => IOError
# => "closed stream"
