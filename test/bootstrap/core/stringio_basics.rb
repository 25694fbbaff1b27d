require "stringio"
io = StringIO.new("a\nb\n")
p [io.gets, io.read, io.eof?, io.rewind, io.each_line.to_a]  # => ["a\n", "b\n", true, 0, ["a\n", "b\n"]]
o = StringIO.new
o.puts 1
o << "x"
o.print "y", "z"
p [o.string, o.pos]  # => ["1\nxyz", 5]
