require "tempfile"
path = Tempfile.new("m").tap(&:close).path
File.write(path, "abc")
p [File.chmod(0600, path), File.stat(path).mode.to_s(8), File.stat(path).size, File.stat(path).file?, File.writable?(path), File.zero?(path), File.mtime(path).class, File.symlink?(path), File.ftype(path), File.write(path, "Z", 1), File.read(path), File.read(path, 2), IO.readlines(path), File.foreach(path).to_a, File.truncate(path, 1), File.size?(path), File.delete(path), File.size?(path)]
# => [1, "100600", 3, true, true, false, Time, false, "file", 1, "aZc", "aZ", ["aZc"], ["aZc"], 0, 1, 1, nil]
