require "tmpdir"
Dir.mktmpdir do |d|
  File.write("#{d}/b.txt", "")
  File.write("#{d}/a.rb", "")
  Dir.mkdir("#{d}/sub")
  p [Dir.children(d).sort, Dir.entries(d).sort, Dir.glob("#{d}/*.rb").map { |x| File.basename(x) }, Dir.exist?(d), Dir.empty?("#{d}/sub"), Dir["#{d}/**/*"].map { |x| File.basename(x) }.sort, Dir.rmdir("#{d}/sub")]
# => [["a.rb", "b.txt", "sub"], [".", "..", "a.rb", "b.txt", "sub"], ["a.rb"], true, true, ["a.rb", "b.txt", "sub"], 0]
  Dir.chdir(d) { p [Dir.pwd == File.realpath(d), File.exist?("a.rb")] }  # => [true, true]
end
