# ARGF: the files that ARGV names, one after the other, or $stdin.
class << (ARGF = Object.new)
  include Enumerable

  def argv = ARGV
  def to_s = "ARGF"
  def inspect = "ARGF"

  # The file being read; opens the next one if need be, nil at the end.
  def __file
    unless @started
      @started = true
      @lineno ||= 0
      @files = !ARGV.empty?
      @io = nil
      @last = false
    end
    return @io if @io
    return @last ? nil : (@last = true; @filename = "-"; @io = $stdin) unless @files
    return nil if ARGV.empty?
    @filename = ARGV.shift
    @io = @filename == "-" ? $stdin : File.open(@filename)
  end

  def __next_file
    @io.close if @io && !$stdin.equal?(@io)
    @io = nil
  end

  def filename
    __file
    @filename || "-"
  end
  alias path filename

  def file
    __file
    @io || $stdin
  end
  alias to_io file

  def lineno = @lineno || 0

  def lineno=(n)
    @lineno = n
    $. = n
  end

  def gets(*args, **opts)
    while io = __file
      line = io.gets(*args, **opts)
      if line
        self.lineno = lineno + 1
        return line
      end
      __next_file
    end
    nil
  end

  def readline(*args, **opts)
    gets(*args, **opts) || raise(EOFError, "end of file reached")
  end

  def readlines(*args, **opts)
    lines = []
    while line = gets(*args, **opts)
      lines << line
    end
    lines
  end
  alias to_a readlines

  def each_line(*args, **opts)
    return to_enum(:each_line, *args, **opts) unless block_given?
    while line = gets(*args, **opts)
      yield line
    end
    self
  end
  alias each each_line

  def read(length = nil, buffer = nil)
    text = nil
    while io = __file
      part = io.read(length && length - (text ? text.bytesize : 0))
      text = text ? text + part : part if part
      break if length && text && text.bytesize >= length
      __next_file
    end
    text = "" if text.nil? && length.nil?
    return text unless buffer && text
    buffer.replace(text)
  end

  def getc
    while io = __file
      c = io.getc
      return c if c
      __next_file
    end
    nil
  end

  def getbyte
    while io = __file
      b = io.getbyte
      return b if b
      __next_file
    end
    nil
  end

  def readchar = getc || raise(EOFError, "end of file reached")
  def readbyte = getbyte || raise(EOFError, "end of file reached")

  def each_char
    return to_enum(:each_char) unless block_given?
    while c = getc
      yield c
    end
    self
  end

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while b = getbyte
      yield b
    end
    self
  end

  def eof?
    raise IOError, "ARGF is not opened for reading" unless @io
    @io.eof?
  end
  alias eof eof?

  def skip
    __next_file if @io
    self
  end

  def close
    __file
    __next_file
    self
  end

  def closed? = __file.nil?
  def fileno = file.fileno
  alias to_i fileno
  def pos = file.pos
  alias tell pos
  def rewind = file.rewind
  def binmode = self
  def external_encoding = file.external_encoding
  def internal_encoding = file.internal_encoding
end
$< = ARGF

module Process
  # The thread that `Process.detach` starts.
  class Waiter < Thread
    attr_reader :pid
  end

  def self.detach(pid)
    waiter = Waiter.new do
      begin
        Process.wait(pid)
        $?
      rescue Errno::ECHILD
        nil
      end
    end
    waiter.instance_variable_set(:@pid, pid)
    waiter
  end
end
