# StringIO: a String read and written as a file is. Positions are in bytes.

class StringIO
  include Enumerable

  VERSION = "3.2.0"
  MAX_LENGTH = 0x7fffffffffffffff

  attr_accessor :lineno
  attr_reader :string, :pos
  alias tell pos

  def self.open(*args)
    io = new(*args)
    return io unless block_given?
    begin
      yield io
    ensure
      io.close unless io.closed?
    end
  end

  # `mode` as in File.open; without one, a frozen string is read only.
  def initialize(string = +"", mode = nil)
    raise TypeError, "no implicit conversion of #{string.class} into String" unless string.respond_to?(:to_str)
    @string = string.to_str
    @pos = 0
    @lineno = 0
    mode ||= @string.frozen? ? "r" : "r+"
    mode = mode.to_s
    @readable = mode.start_with?("r") || mode.include?("+")
    @writable = !mode.start_with?("r") || mode.include?("+")
    raise Errno::EACCES, "Permission denied" if @writable && @string.frozen?
    @append = mode.start_with?("a")
    @string.replace("") if mode.start_with?("w")
  end

  def string=(string)
    @string = string
    @pos = @lineno = 0
    @readable = true
    @writable = !string.frozen?
    string
  end

  def reopen(string = +"", mode = nil)
    initialize(string, mode)
    self
  end

  # ---- position ----

  def pos=(position)
    raise Errno::EINVAL if position < 0
    @pos = position
  end

  def rewind
    @pos = @lineno = 0
  end

  def seek(offset, whence = 0)
    check_open
    base =
      case whence
      when 0, :SET then 0
      when 1, :CUR then @pos
      when 2, :END then @string.bytesize
      else raise Errno::EINVAL, "invalid whence"
      end
    raise Errno::EINVAL if base + offset < 0
    @pos = base + offset
    0
  end

  def eof?
    check_readable
    @pos >= @string.bytesize
  end
  alias eof eof?

  def size
    @string.bytesize
  end
  alias length size

  def truncate(length)
    check_writable
    raise Errno::EINVAL, "negative length" if length < 0
    if length <= size
      @string.replace(@string.byteslice(0, length))
    else
      @string << "\0" * (length - size)
    end
    0
  end

  # ---- reading ----

  def read(length = nil, buffer = nil)
    check_readable
    raise ArgumentError, "negative length #{length} given" if length && length < 0
    if length && length > 0 && @pos >= size
      buffer&.replace("")
      return nil
    end
    text = @pos >= size ? +"" : @string.byteslice(@pos, length || size - @pos)
    text = text.b if length
    @pos += text.bytesize
    buffer ? buffer.replace(text) : text
  end

  def pread(length, offset)
    raise ArgumentError, "negative string size (or size too big): #{length}" if length < 0
    raise Errno::EINVAL, "pread: Invalid offset argument: #{offset}" if offset < 0
    return +"" if length == 0
    raise EOFError, "end of file reached" if offset >= size
    @string.byteslice(offset, length).b
  end

  def sysread(length = nil, buffer = nil)
    read(length, buffer) || raise(EOFError, "end of file reached")
  end
  alias readpartial sysread

  def read_nonblock(length, buffer = nil, exception: true)
    read(length, buffer) || (exception ? raise(EOFError, "end of file reached") : nil)
  end

  # gets(separator = $/, limit = nil, chomp: false); an empty separator reads a paragraph, nil reads all.
  def gets(*args, chomp: false)
    check_readable
    line = take_line(*line_arguments(args), chomp)
    $_ = line
  end

  def readline(*args, chomp: false)
    gets(*args, chomp: chomp) || raise(EOFError, "end of file reached")
  end

  def each_line(*args, chomp: false)
    return to_enum(:each_line, *args, chomp: chomp) unless block_given?
    check_readable
    separator, limit = line_arguments(args)
    raise ArgumentError, "invalid limit: 0 for each_line" if limit == 0
    while (line = take_line(separator, limit, chomp))
      yield line
    end
    self
  end
  alias each each_line

  def readlines(*args, chomp: false)
    check_readable
    separator, limit = line_arguments(args)
    raise ArgumentError, "invalid limit: 0 for readlines" if limit == 0
    lines = []
    while (line = take_line(separator, limit, chomp))
      lines << line
    end
    lines
  end

  def getc
    check_readable
    return nil if @pos >= size
    char = @string.byteslice(@pos, 4)[0]
    @pos += char.bytesize
    char
  end

  def getbyte
    check_readable
    return nil if @pos >= size
    @pos += 1
    @string.getbyte(@pos - 1)
  end

  def readchar
    getc || raise(EOFError, "end of file reached")
  end

  def readbyte
    getbyte || raise(EOFError, "end of file reached")
  end

  def each_char
    return to_enum(:each_char) unless block_given?
    while (char = getc)
      yield char
    end
    self
  end

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while (byte = getbyte)
      yield byte
    end
    self
  end

  def ungetc(char)
    check_readable
    return nil if char.nil?
    char = char.chr if char.is_a?(Integer)
    put_back(char)
  end

  def ungetbyte(byte)
    check_readable
    return nil if byte.nil?
    put_back(byte.is_a?(Integer) ? (byte & 255).chr : byte)
  end

  # ---- writing ----

  def write(*texts)
    check_writable
    texts.sum { |text| write_one(text.to_s) }
  end
  alias syswrite write

  def write_nonblock(text, **)
    write(text)
  end

  def <<(text)
    write(text)
    self
  end

  def print(*texts)
    texts = [$_] if texts.empty?
    write(*texts)
    nil
  end

  def puts(*lines)
    write("\n") if lines.empty?
    lines.each { |line| put_line(line, []) }
    nil
  end

  def printf(format, *args)
    write(format(format, *args)) unless format.nil?
    nil
  end

  def putc(char)
    write(char.is_a?(String) ? char[0] : (char.to_int & 255).chr)
    char
  end

  # ---- open and closed ----

  def close
    @readable = @writable = false
    nil
  end

  def close_read
    raise IOError, "closing non-duplex IO for reading" unless @readable
    @readable = false
    nil
  end

  def close_write
    raise IOError, "closing non-duplex IO for writing" unless @writable
    @writable = false
    nil
  end

  def closed?
    !@readable && !@writable
  end

  def closed_read?
    !@readable
  end

  def closed_write?
    !@writable
  end

  # ---- what a file has and a string needs not ----

  def sync
    true
  end

  def sync=(value)
    value
  end

  def flush
    self
  end

  def fsync
    0
  end

  def binmode
    self
  end

  def isatty
    false
  end
  alias tty? isatty

  def fileno
    nil
  end

  def pid
    nil
  end

  def external_encoding
    @string.encoding
  end

  def internal_encoding
    nil
  end

  def set_encoding(encoding, *)
    @string.force_encoding(encoding || Encoding.default_external) unless @string.frozen?
    self
  end

  private

  def check_open
    raise IOError, "not opened for reading" if closed?
  end

  def check_readable
    raise IOError, "not opened for reading" unless @readable
  end

  def check_writable
    raise IOError, "not opened for writing" unless @writable
  end

  def line_arguments(args)
    separator, limit = args
    return [$/, args[0].to_int] if args.size == 1 && !separator.nil? && !separator.respond_to?(:to_str)
    separator = $/ if args.empty?
    [separator&.to_str, limit&.to_int]
  end

  def take_line(separator, limit, chomp)
    return +"" if limit == 0
    return nil if @pos >= size
    paragraph = separator == ""
    if paragraph
      @pos += 1 while @string.getbyte(@pos) == 10
      return nil if @pos >= size
      separator = "\n\n"
    end
    found = separator && @string.byteindex(separator, @pos)
    stop = found ? found + separator.bytesize : size
    if limit && limit > 0 && @pos + limit < stop
      stop = @pos + limit
      stop += 1 until stop >= size || @string.byteslice(@pos, stop - @pos).valid_encoding?
    end
    line = @string.byteslice(@pos, stop - @pos)
    @pos = stop
    @pos += 1 while paragraph && @string.getbyte(@pos) == 10
    @lineno += 1
    line = line.chomp(separator) if chomp && separator
    line
  end

  def write_one(text)
    return 0 if text.empty?
    @pos = size if @append
    length = text.bytesize
    if @pos == size
      @string << text
    else
      @string << "\0" * (@pos - size) if @pos > size
      tail = @string.byteslice(@pos + length, size) || ""
      @string.replace(@string.byteslice(0, @pos) + text + tail)
    end
    @pos += length
    length
  end

  def put_line(line, inside)
    if line.is_a?(Array)
      return write("[...]\n") if inside.any? { |outer| outer.equal?(line) }
      line.each { |item| put_line(item, inside + [line]) }
    else
      text = line.to_s
      write(text.end_with?("\n") ? text : text + "\n")
    end
  end

  def put_back(text)
    length = text.bytesize
    if length <= @pos
      @string.replace(@string.byteslice(0, @pos - length) + text + @string.byteslice(@pos, size).to_s)
      @pos -= length
    else
      @string.replace(text + @string.byteslice(@pos, size).to_s)
      @pos = 0
    end
    nil
  end
end
