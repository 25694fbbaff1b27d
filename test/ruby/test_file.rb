require "test/unit"
require "tempfile"

class TestFile < Test::Unit::TestCase
  def setup
    @file = Tempfile.new("minirb")
    @path = @file.path
  end

  def teardown
    @file.close!
  end

  def test_write_and_read
    assert_equal 5, File.write(@path, "a\nb\nc")
    assert_equal ["a\nb\nc", ["a\n", "b\n", "c"], %w[a b c], "b\n"], [File.read(@path), File.readlines(@path), File.readlines(@path, chomp: true), File.read(@path, 2, 2)]
    assert_equal %w[a b c], File.foreach(@path, chomp: true).to_a
  end

  def test_open_modes
    File.open(@path, "w") { |f| f << "one" << 2 }
    File.open(@path, "a") { |f| f.puts "more" }
    assert_equal "one2more\n", File.open(@path, &:read)
    File.open(@path, "r+") { |f| f.write("X") }
    assert_equal "Xne2more\n", File.read(@path)
    assert_raise(IOError) { File.open(@path, "r") { |f| f.write "x" } }
    assert_raise(IOError) { File.open(@path, "w") { |f| f.read } }
    assert_raise(Errno::ENOENT) { File.open("/no/such/file") }
    assert_raise(Errno::EEXIST) { File.open(@path, File::CREAT | File::EXCL | File::WRONLY) }
  end

  def test_positions
    File.write(@path, "hello\nworld\n")
    File.open(@path) do |f|
      assert_equal ["he", 2, "llo\n", "w", 7], [f.read(2), f.pos, f.gets, f.getc, f.tell]
      f.rewind
      assert_equal [["hello\n", "world\n"], true, nil, ""], [f.readlines, f.eof?, f.gets, f.read]
      f.seek(-6, IO::SEEK_END)
      assert_equal "world\n", f.readline
      assert_raise_with_message(EOFError, "end of file reached") { f.readline }
      f.pos = 1
      assert_equal [101, "l"], [f.getbyte, f.readchar]
      f.ungetc("Q")
      assert_equal "Qlo\n", f.gets
    end
  end

  def test_each_line_variants
    File.write(@path, "a,b\n\nc\n")
    assert_equal [["a,", "b\n\nc\n"], ["a,b\n\n", "c\n"], ["a,b\n\nc\n"]], [File.open(@path) { |f| f.each_line(",").to_a }, File.open(@path) { |f| f.each_line("").to_a }, File.open(@path) { |f| f.each_line(nil).to_a }]
    assert_equal 3, File.open(@path) { |f| f.each_line { }; f.lineno }
    assert_equal [97, 44], File.open(@path) { |f| f.each_byte.first(2) }
  end

  def test_stat_and_chmod
    File.write(@path, "abc")
    assert_equal [3, true, false, true, false], [File.size(@path), File.file?(@path), File.directory?(@path), File.exist?(@path), File.zero?(@path)]
    assert_equal 1, File.chmod(0640, @path)
    assert_equal ["100640", true], [File.stat(@path).mode.to_s(8), File.stat(@path).file?]
    assert_instance_of Time, File.mtime(@path)
    assert_raise_with_message(Errno::ENOENT, /No such file or directory @ .* - \/none/) { File.stat("/none") }
  end

  def test_names
    assert_equal ["b.rb", "b", ".rb", "/a", "a/b", ["/a", "b"]], [File.basename("/a/b.rb"), File.basename("/a/b.rb", ".rb"), File.extname("b.rb"), File.dirname("/a/b.rb"), File.join("a", "b"), File.split("/a/b")]
    assert_equal ["/a/c", "/x", "/a/b"], [File.expand_path("../c", "/a/b"), File.expand_path("/x", "/y"), File.absolute_path("b", "/a")]
    assert_equal [true, false], [File.absolute_path?("/a"), File.absolute_path?("a")]
    assert_equal true, File.fnmatch("*.rb", "x.rb")
  end

  def test_rename_and_delete
    other = @path + ".new"
    File.write(@path, "x")
    assert_equal 0, File.rename(@path, other)
    assert_equal [false, true, 1], [File.exist?(@path), File.exist?(other), File.delete(other)]
    File.write(@path, "")
  end

  def test_symlinks
    link = @path + ".link"
    File.symlink(@path, link)
    assert_equal [true, @path], [File.symlink?(link), File.readlink(link)]
  ensure
    File.unlink(link)
  end

  def test_directories
    dir = @path + ".dir"
    Dir.mkdir(dir)
    File.write(dir + "/f.txt", "")
    assert_equal [["f.txt"], [".", "..", "f.txt"], ["f.txt"]], [Dir.children(dir), Dir.entries(dir).sort, Dir.glob("*", base: dir)]
    assert_raise(Errno::ENOTEMPTY) { Dir.rmdir(dir) }
  ensure
    File.delete(dir + "/f.txt")
    Dir.rmdir(dir)
  end

  def test_pipes
    r, w = IO.pipe
    w << "x\n" << "y"
    w.close
    assert_equal ["x\n", "y", nil], [r.gets, r.read, r.gets]
    r.close
    assert_raise_with_message(IOError, "closed stream") { r.read }
  end

  def test_closed
    f = File.open(@path)
    assert_equal [false, nil, true], [f.closed?, f.close, f.closed?]
    assert_raise(IOError) { f.gets }
    assert_nil f.close
  end

  def test_truncate_and_flush
    File.open(@path, "w") { |f| f.write "abcdef"; f.flush; f.truncate(3) }
    assert_equal "abc", File.read(@path)
  end
end
