def try = yield rescue p($!.class)
try { File.open("/nonexistent/x") }  # => Errno::ENOENT
try { File.open("/tmp", "w") }  # => Errno::EISDIR
try { File.open("x", "q") }  # => ArgumentError
try { File.open("a\0b") }  # => ArgumentError
try { File.open(nil) }  # => TypeError
try { File.read("/tmp") }  # => Errno::EISDIR
try { File.chmod("x", "/tmp/none") }  # => TypeError
try { File.rename("/nonexistent/a", "/tmp/b") }  # => Errno::ENOENT
try { File.delete("/nonexistent/a") }  # => Errno::ENOENT
try { File.join([[]].tap { |a| a[0] << a }) }  # => ArgumentError
try { Dir.entries("/nonexistent") }  # => Errno::ENOENT
try { File.stat("/nonexistent") }  # => Errno::ENOENT
try { File.expand_path(1) }  # => TypeError
try { File.basename(nil) }  # => TypeError
try { require "no/such/file" }
try { load "/nonexistent.rb" }
# survives
