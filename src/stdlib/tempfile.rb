# Tempfile: a File with a name nobody else has, gone when the program ends.

require "tmpdir"

class Tempfile < File
  @left = {}
  @count = 0

  class << self
    # Tempfile.create("name") { |file| ... }: a plain File; with a block it is deleted at the block's end.
    def create(basename = "", tmpdir = nil, mode: 0, **options)
      path = fresh_path(basename, tmpdir || Dir.tmpdir)
      file = File.open(path, mode | File::RDWR | File::CREAT | File::EXCL, 0600)
      return file unless block_given?
      begin
        yield file
      ensure
        file.close unless file.closed?
        File.unlink(path) if File.exist?(path)
      end
    end

    # Tempfile.open("name") { |file| ... } closes and deletes at the block's end and gives the block's value.
    def open(*args, **options)
      file = new(*args, **options)
      return file unless block_given?
      begin
        yield file
      ensure
        file.close!
      end
    end

    # "name" or ["prefix", ".suffix"], made unique by process, counter and chance.
    def fresh_path(basename, dir)
      prefix, suffix = basename.is_a?(Array) ? basename : [basename, ""]
      loop do
        @count += 1
        path = "#{dir}/#{prefix}#{Process.pid}-#{@count}-#{rand(0x1000000).to_s(36)}#{suffix}"
        return path unless File.exist?(path)
      end
    end

    def remember(path)
      at_exit { delete_all } if @left.empty?
      @left[path] = Process.pid
    end

    def forget(path)
      @left.delete(path)
    end

    # A forked child leaves its parent's files alone.
    def delete_all
      @left.each { |path, pid| File.unlink(path) if pid == Process.pid && File.exist?(path) }
      @left = {}
    end
  end

  def initialize(basename = "", tmpdir = nil, mode: 0, **options)
    @unlinked = false
    @temporary_path = Tempfile.fresh_path(basename, tmpdir || Dir.tmpdir)
    super(@temporary_path, mode | File::RDWR | File::CREAT | File::EXCL, 0600)
    Tempfile.remember(@temporary_path)
  end

  # nil once the file is deleted.
  def path
    @unlinked ? nil : @temporary_path
  end

  def close(unlink_now = false)
    super()
    unlink if unlink_now
    nil
  end

  def close!
    close(true)
  end

  def unlink
    return if @unlinked
    File.unlink(@temporary_path) if File.exist?(@temporary_path)
    Tempfile.forget(@temporary_path)
    @unlinked = true
    nil
  end
  alias delete unlink

  # Opens the file again, at its start.
  def open
    close unless closed?
    reopen(@temporary_path, "r+")
    self
  end

  def size
    return File.size(@temporary_path) if closed?
    flush
    super
  end
  alias length size

  def inspect
    "#<Tempfile:#{@temporary_path}#{" (closed)" if closed?}>"
  end
end
