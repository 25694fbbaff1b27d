# One short system call, File.chmod on a temporary file, 200,000 times.
require "tempfile"

file = Tempfile.new("chmod")
path = file.path
200_000.times { File.chmod(0777, path) }
file.close!
