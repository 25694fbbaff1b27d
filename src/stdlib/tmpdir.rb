# Dir.tmpdir and Dir.mktmpdir.

class Dir
  # The folder for temporary files: $TMPDIR if it names a folder, else /tmp.
  def self.tmpdir
    dir = ENV["TMPDIR"]
    dir && !dir.empty? && File.directory?(dir) ? dir : "/tmp"
  end

  # Makes a folder of its own; with a block, yields its path and removes it with all that is in it.
  def self.mktmpdir(prefix = "d", tmpdir = nil, **options)
    start, suffix = prefix.is_a?(Array) ? prefix : [prefix || "d", ""]
    path = nil
    begin
      path = "#{tmpdir || Dir.tmpdir}/#{start}#{Process.pid}-#{rand(0x10000000).to_s(36)}#{suffix}"
      Dir.mkdir(path, 0700)
    rescue Errno::EEXIST
      retry
    end
    return path unless block_given?
    begin
      yield path
    ensure
      remove_tree(path)
    end
  end

  def self.remove_tree(path)
    if File.directory?(path) && !File.symlink?(path)
      Dir.children(path).each { |name| remove_tree("#{path}/#{name}") }
      Dir.rmdir(path)
    elsif File.exist?(path) || File.symlink?(path)
      File.unlink(path)
    end
  end
  private_class_method :remove_tree
end
