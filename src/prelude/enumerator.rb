class Enumerator
  private def initialize(size = nil, &block)
    raise ArgumentError, "no block given" unless block
    unless size.nil? || Integer === size || Float === size || size.respond_to?(:call)
      size = __to_int(size)
    end
    __setup(Generator.new(&block), :each, size)
  end

  def with_index(offset = 0)
    offset = offset.nil? ? 0 : __to_int(offset)
    return to_enum(:with_index, offset) { size } unless block_given?
    i = offset - 1
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      yield x, i += 1
    end
  end

  def each_with_index
    return to_enum(:each_with_index) { size } unless block_given?
    i = -1
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      yield x, i += 1
    end
  end

  def each_with_object(memo)
    return to_enum(__called, memo) { size } unless block_given?
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      yield x, memo
    end
    memo
  end
  alias with_object each_with_object

  # External iteration: `each` runs in a Fiber. The state is
  # [fiber, values looked ahead, StopIteration once reached, fed value, fed?].
  private def __look
    s = __state
    if s.nil? || s[1].nil? && s[2].nil? && !s[0].alive?
      s = [nil, nil, nil, nil, false]
      s[0] = Fiber.new do
        result = each do |*x|
          s[1] = x
          Fiber.yield
          fed = s[3]
          s[3] = nil
          s[4] = false
          fed
        end
        s[2] = __stop_iteration(result)
        nil
      end
      self.__state = s
    end
    unless s[1]
      s[0].resume unless s[2]
      raise s[2] if s[2]
    end
    s
  end

  def next_values
    s = __look
    x = s[1]
    s[1] = nil
    x
  end

  def peek_values
    __look[1]
  end

  def next
    x = next_values
    __ary_len(x) > 1 ? x : x[0]
  end

  def peek
    x = peek_values
    __ary_len(x) > 1 ? x : x[0]
  end

  def feed(value)
    __look unless __state
    s = __state
    raise TypeError, "feed value already set" if s[4]
    s[3] = value
    s[4] = true
    nil
  end

  def rewind
    r = __receiver
    r.rewind if r.respond_to?(:rewind)
    self.__state = nil
    self
  end

  def +(other)
    Chain.new(self, other)
  end

  def self.produce(init = (no_init = true; nil), size: Float::INFINITY, &block)
    raise ArgumentError, "no block given" unless block
    producer = Producer.new(no_init, init, block)
    producer.__enumerator(size)
  end

  def self.product(*enums, **opts, &block)
    raise ArgumentError, "unknown keywords: #{opts.keys.map(&:inspect).join(", ")}" unless opts.empty?
    e = Product.new(*enums)
    return e unless block
    e.each(&block)
    nil
  end

  # Calls its block with a Yielder: what `Enumerator.new` iterates.
  class Generator
    private def initialize(callable = nil, &block)
      @proc = block || callable
      raise LocalJumpError, "no block given" unless @proc
      unless @proc.respond_to?(:call)
        raise TypeError, "wrong argument type #{@proc.class} (expected Proc)"
      end
    end

    def each(*args, &block)
      @proc.call(Yielder.new(&block), *args)
    end

    private def instance_variables_to_inspect = []
  end

  class Yielder
    private def initialize(&block)
      raise LocalJumpError, "no block given" unless block
      @proc = block
    end

    def <<(value)
      @proc.call(value)
      self
    end

    def yield(*values)
      @proc.call(*values)
    end

    def to_proc
      method(:yield).to_proc
    end

    private def instance_variables_to_inspect = []
  end

  class Producer
    private def initialize(no_init, init, block)
      @no_init = no_init
      @init = init
      @block = block
    end

    def each
      value = @no_init ? @block.call : @init
      while true
        yield value
        value = @block.call(value)
      end
    rescue StopIteration
      self
    end

    def __enumerator(size)
      e = Enumerator.allocate
      e.__send__(:__setup, self, :each, size)
    end

    private def instance_variables_to_inspect = []
  end

  class Chain < Enumerator
    private def initialize(*enums)
      __setup(enums.freeze, :each, nil)
    end

    def each(*args, **opts, &block)
      return to_enum(:each, *args, **opts) { size } unless block
      list = __receiver
      self.__position = 0
      list.each_with_index do |e, i|
        self.__position = i + 1
        e.each(*args, **opts, &block)
      end
      self
    end

    def __position=(n)
      @position = n
    end

    def size
      total = 0
      __receiver.each do |e|
        n = e.size
        return n if n.nil? || Float === n && n.infinite?
        return nil unless Integer === n
        total += n
      end
      total
    end

    def rewind
      list = __receiver
      i = @position || 0
      while i > 0
        i -= 1
        list[i].rewind if list[i].respond_to?(:rewind)
      end
      @position = 0
      self.__state = nil
      self
    end

    def inspect
      __inspect_list("Enumerator::Chain")
    end
    alias to_s inspect

    def +(other)
      Chain.new(self, other)
    end

    private def instance_variables_to_inspect = []
  end

  private def __list_of(other, what)
    other.__send__(:__receiver)
  rescue ArgumentError
    raise ArgumentError, "uninitialized #{what}"
  end

  private def __inspect_list(name)
    list =
      begin
        __receiver
      rescue ArgumentError
        return "#<#{self.class}: uninitialized>"
      end
    __recursion_guard(:inspect) { "#<#{self.class}: #{list.inspect}>" } || "#<#{self.class}: ...>"
  end

  class Product < Enumerator
    private def initialize(*enums, **opts)
      raise ArgumentError, "unknown keywords: #{opts.keys.map(&:inspect).join(", ")}" unless opts.empty?
      __setup(enums.freeze, :each, nil)
    end

    def each(&block)
      return self unless block
      __product(__receiver, 0, [], block)
      self
    end

    private def initialize_copy(other)
      return self if equal?(other)
      __check_frozen
      raise TypeError, "initialize_copy should take same class object" unless other.instance_of?(self.class)
      __setup(__list_of(other, "product"), :each, nil)
    end

    private def __product(list, i, row, block)
      if i == list.size
        block.call(row.dup)
      else
        list[i].each_entry do |x|
          row[i] = x
          __product(list, i + 1, row, block)
        end
      end
    end

    def size
      total = 1
      __receiver.each do |e|
        return nil unless e.respond_to?(:size)
        n = e.size
        return n if n.nil?
        return nil unless Integer === n || Float === n && n.infinite?
        total *= n
      end
      total
    end

    def rewind
      __receiver.reverse_each { |e| e.rewind if e.respond_to?(:rewind) }
      self.__state = nil
      self
    end

    def inspect
      __inspect_list("Enumerator::Product")
    end
    alias to_s inspect
  end

  class ArithmeticSequence
    private def __receiver = nil

    def each
      return self unless block_given?
      b = self.begin
      e = self.end
      step = self.step
      if Float === b || Float === e || Float === step
        b.__send__(:__each_float_step, e, step, exclude_end?) { |x| yield x }
      elsif e.nil?
        while true
          yield b
          b += step
        end
      elsif step < 0
        if exclude_end?
          while b > e
            yield b
            b += step
          end
        else
          while b >= e
            yield b
            b += step
          end
        end
      elsif step == 0
        yield b while true
      elsif exclude_end?
        while b < e
          yield b
          b += step
        end
      else
        while b <= e
          yield b
          b += step
        end
      end
      self
    end

    def size
      return Float::INFINITY if self.end.nil? || self.step == 0
      self.begin.__send__(:__step_size, self.end, self.step, exclude_end?)
    end

    def first(n = (no_n = true; nil))
      b = self.begin
      e = self.end
      if no_n
        return b if e.nil?
        c = self.step < 0 ? e <=> b : b <=> e
        return c.nil? || c > 0 || c == 0 && exclude_end? ? nil : (Float === self.step || Float === e ? Float(b) : b)
      end
      n = __to_int(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      out = []
      return out if n == 0
      each do |x|
        out << x
        break if out.size >= n
      end
      out
    end

    def last(n = (no_n = true; nil))
      e = self.end
      raise RangeError, "cannot get the last element of endless arithmetic sequence" if e.nil?
      count = size
      if no_n
        return nil if count == 0
        return __at(count - 1)
      end
      n = __to_int(n)
      raise ArgumentError, "negative array size" if n < 0
      n = count if n > count
      out = []
      i = count - n
      while i < count
        out << __at(i)
        i += 1
      end
      out
    end

    private def __at(i)
      b = self.begin
      step = self.step
      if Float === b || Float === step || Float === self.end
        f = i * Float(step) + Float(b)
        e = self.end
        f = Float(e) if !exclude_end? && e && (step >= 0 ? e < f : f < e)
        f
      else
        b + step * i
      end
    end

    def to_a
      raise RangeError, "cannot convert endless range to an array" if self.end.nil?
      out = []
      each { |x| out << x }
      out
    end
    alias entries to_a

    def ==(other)
      ArithmeticSequence === other && self.begin == other.begin && self.end == other.end &&
        self.step == other.step && exclude_end? == other.exclude_end?
    end
    alias === ==
    alias eql? ==

    def hash
      [self.begin, self.end, self.step, exclude_end?].hash
    end

    def inspect
      receiver, name, *args = __origin
      text = receiver.inspect
      text = "(#{text})" if Range === receiver
      unless args.empty?
        opts = Hash === args.last ? args.pop : nil
        parts = args.map(&:inspect)
        opts&.each { |k, v| parts << "#{k}: #{v.inspect}" }
        list = "(#{parts.join(", ")})"
      end
      "(#{text}.#{name}#{list})"
    end
    alias to_s inspect
  end

  class Lazy < Enumerator
    # The lazy form of an Enumerable.
    def self.__of(source)
      lazy = allocate
      lazy.__send__(:__start, source)
      lazy
    end

    private def __start(source)
      @source = source
      @origin = nil
      @size = nil
      @args = nil
      __setup(source, :each, -> { source.respond_to?(:size) ? source.size : nil })
    end

    private def initialize(source, size = nil, &block)
      raise ArgumentError, "tried to call lazy new without a block" unless block
      @source = source
      @origin = nil
      unless size.nil? || Integer === size || Float === size || size.respond_to?(:call)
        size = __to_int(size)
      end
      generator = Generator.new do |y, *args|
        source.each(*args) { |*x| block.call(y, *x) }
      end
      __setup(generator, :each, size)
    end

    # A further stage: `run` is called with a Yielder for each iteration.
    private def __stage(name, args, size, &run)
      lazy = Lazy.allocate
      lazy.__send__(:__chained, self, name, args, size, Generator.new(&run))
      lazy
    end

    private def __chained(source, name, args, size, generator)
      @source = source
      @origin = name
      @args = args
      __setup(generator, :each, size)
    end

    def inspect
      return "#<#{self.class}: uninitialized>" unless @source || instance_variable_defined?(:@source)
      text = @source.inspect
      return "#<#{self.class}: #{text}>" unless @origin
      list = @args && !@args.empty? ? "(#{@args.map(&:inspect).join(", ")})" : ""
      "#<#{self.class}: #{text}:#{@origin}#{list}>"
    end
    alias to_s inspect

    # Methods that are lazy here are meant as their eager selves.
    def to_enum(name = :each, *args, **opts, &size)
      lazy = Lazy.allocate
      lazy.__send__(:__wrap, self, name, args, opts, size)
      lazy
    end
    alias enum_for to_enum

    private def __wrap(source, name, args, opts, size)
      @source = source
      @origin = name
      @args = args
      eager = Lazy.method_defined?(name, false) && Enumerator.method_defined?(name)
      target = eager ? Enumerator.instance_method(name).bind(source) : source.method(name)
      generator = Generator.new do |y, *rest|
        target.call(*args, *rest, **opts) { |*x| y.yield(*x) }
      end
      __setup(generator, :each, size)
    end

    private def __keep_size
      me = self
      -> { me.size }
    end

    def map(&block)
      raise ArgumentError, "tried to call lazy map without a block" unless block
      source = self
      __stage(__called, nil, __keep_size) { |y| source.each { |*x| y << block.call(*x) } }
    end
    alias collect map

    def flat_map(&block)
      raise ArgumentError, "tried to call lazy flat_map without a block" unless block
      source = self
      __stage(__called, nil, nil) do |y|
        source.each do |*x|
          v = block.call(*x)
          if __array?(v)
            v.each { |e| y << e }
          elsif v.respond_to?(:force) && v.respond_to?(:each)
            v.each { |e| y << e }
          elsif (a = Array.try_convert(v))
            a.each { |e| y << e }
          else
            y << v
          end
        end
      end
    end
    alias collect_concat flat_map

    private def __select(name, want, block)
      source = self
      __stage(name, nil, nil) do |y|
        source.each do |*x|
          x = x[0] unless __ary_len(x) > 1
          y << x if !block.call(x) != want
        end
      end
    end

    def select(&block)
      raise ArgumentError, "tried to call lazy select without a block" unless block
      __select(__called, true, block)
    end
    alias filter select
    alias find_all select

    def reject(&block)
      raise ArgumentError, "tried to call lazy reject without a block" unless block
      __select(:reject, false, block)
    end

    def filter_map(&block)
      raise ArgumentError, "tried to call lazy filter_map without a block" unless block
      source = self
      __stage(:filter_map, nil, nil) do |y|
        source.each do |*x|
          v = block.call(*x)
          y << v if v
        end
      end
    end

    def grep(pattern, &block)
      source = self
      __stage(:grep, [pattern], nil) do |y|
        source.each do |*x|
          x = x[0] unless __ary_len(x) > 1
          y << (block ? block.call(x) : x) if pattern === x
        end
      end
    end

    def grep_v(pattern, &block)
      source = self
      __stage(:grep_v, [pattern], nil) do |y|
        source.each do |*x|
          x = x[0] unless __ary_len(x) > 1
          y << (block ? block.call(x) : x) unless pattern === x
        end
      end
    end

    def zip(*others, &block)
      return super if block
      others.each do |o|
        unless o.respond_to?(:each)
          raise TypeError, "wrong argument type #{o.class} (must respond to :each)"
        end
      end
      source = self
      __stage(:zip, others, __keep_size) do |y|
        lists = others.map { |o| Array.try_convert(o) || o.to_enum(:each) }
        i = -1
        source.each do |*x|
          i += 1
          row = [__ary_len(x) > 1 ? x : x[0]]
          lists.each_with_index do |l, k|
            if __array?(l)
              row << l[i]
            elsif l.nil?
              row << nil
            else
              begin
                row << l.next
              rescue StopIteration
                lists[k] = nil
                row << nil
              end
            end
          end
          y << row
        end
      end
    end

    def take(n)
      n = __to_int(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      source = self
      size = lambda do
        len = source.size
        len.nil? ? nil : len < n ? len : n
      end
      __stage(:take, [n], n == 0 ? 0 : size) do |y|
        if n > 0
          i = 0
          source.each do |*x|
            i += 1
            y << (__ary_len(x) > 1 ? x : x[0])
            break if i >= n
          end
        end
      end
    end

    def first(n = (no_n = true; nil))
      if no_n
        each { |*x| return __ary_len(x) > 1 ? x : x[0] }
        return nil
      end
      take(n).to_a
    end

    def take_while(&block)
      raise ArgumentError, "tried to call lazy take_while without a block" unless block
      source = self
      __stage(:take_while, nil, nil) do |y|
        source.each do |*x|
          break unless block.call(*x)
          y << (__ary_len(x) > 1 ? x : x[0])
        end
      end
    end

    def drop(n)
      n = __to_int(n)
      raise ArgumentError, "attempt to drop negative size" if n < 0
      source = self
      size = lambda do
        len = source.size
        len.nil? ? nil : len > n ? len - n : 0
      end
      __stage(:drop, [n], size) do |y|
        i = 0
        source.each do |*x|
          i < n ? i += 1 : y << (__ary_len(x) > 1 ? x : x[0])
        end
      end
    end

    def drop_while(&block)
      raise ArgumentError, "tried to call lazy drop_while without a block" unless block
      source = self
      __stage(:drop_while, nil, nil) do |y|
        dropping = true
        source.each do |*x|
          dropping &&= block.call(*x)
          y << (__ary_len(x) > 1 ? x : x[0]) unless dropping
        end
      end
    end

    def uniq(&block)
      source = self
      __stage(:uniq, nil, nil) do |y|
        seen = {}
        source.each do |*x|
          x = x[0] unless __ary_len(x) > 1
          k = block ? block.call(x) : x
          unless seen.key?(k)
            seen[k] = true
            y << x
          end
        end
      end
    end

    def compact
      source = self
      __stage(:compact, nil, nil) do |y|
        source.each do |*x|
          x = x[0] unless __ary_len(x) > 1
          y << x unless x.nil?
        end
      end
    end

    def with_index(offset = 0, &block)
      offset = offset.nil? ? 0 : __to_int(offset)
      source = self
      __stage(:with_index, offset == 0 ? nil : [offset], __keep_size) do |y|
        i = offset - 1
        source.each do |*x|
          x = x[0] unless __ary_len(x) > 1
          i += 1
          if block
            block.call(x, i)
            y << x
          else
            y << [x, i]
          end
        end
      end
    end
    alias each_with_index with_index

    def tap_each(&block)
      raise ArgumentError, "tried to call lazy tap_each without a block" unless block
      source = self
      __stage(:tap_each, nil, __keep_size) do |y|
        source.each do |*x|
          block.call(*x)
          y.yield(*x)
        end
      end
    end

    def chunk(*args, &block) = super.lazy
    def slice_before(*args, &block) = super.lazy
    def slice_after(*args, &block) = super.lazy
    def slice_when(&block) = super.lazy
    def chunk_while(&block) = super.lazy

    def lazy
      self
    end

    def to_a(*args)
      out = []
      each(*args) { |*x| out << (__ary_len(x) > 1 ? x : x[0]) }
      out
    end
    alias force to_a

    def eager
      source = self
      e = Enumerator.allocate
      e.__send__(:__setup, source, :each, __keep_size)
      e
    end

    private def instance_variables_to_inspect = []
  end
end
