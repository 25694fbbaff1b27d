def try = yield rescue $stderr.puts("#{$!.class}: #{$!.message}")
try { $stdout = 5 }
# stderr: TypeError: $stdout must have write method, Integer given
o = Object.new
def o.write(*s) = STDOUT.write(*s.map { |x| x.to_s.upcase })
$stdout = o
puts "abc"  # => ABC
print 1, "x"
$stdout = STDOUT
puts
# => 1X
