require "tempfile"
f = Tempfile.new("mini")
f.puts "one", "two"
f.write("three")
f.flush
p [File.read(f.path), File.size(f.path), File.readlines(f.path, chomp: true), File.exist?(f.path), File.file?(f.path), File.directory?("/tmp"), File.basename("/a/b.rb", ".rb"), File.extname("x.rb"), File.dirname("/a/b"), File.join("a", "b"), File.expand_path("../x", "/a/b"), File.split("/a/b")]
# => ["one\ntwo\nthree", 13, ["one", "two", "three"], true, true, true, "b", ".rb", "/a", "a/b", "/a/x", ["/a", "b"]]
File.open(f.path, "a") { |io| io << "!" }
File.open(f.path) do |io|
  p [io.gets, io.lineno, io.read(3), io.pos, io.eof?, io.readline, io.gets, io.gets, io.eof?]  # => ["one\n", 1, "two", 7, false, "\n", "three!", nil, true]
  io.rewind
  p io.each_line.map(&:size)  # => [4, 4, 6]
  io.seek(-3, IO::SEEK_END)
  p io.read  # => "ee!"
end
f.close!
p File.exist?(f.path.to_s)  # => false
