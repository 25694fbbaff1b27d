# Enumerable stands on `each`. A block that takes one value gets several yielded ones as an Array:
# `x = x[0] unless __ary_len(x) > 1`.
module Enumerable
  private def __enum_size(*)
    respond_to?(:size) ? size : nil
  end

  def map
    return to_enum(__called) { __enum_size } unless block_given?
    out = []
    each { |*x| out << yield(*x) }
    out
  end
  alias collect map

  def flat_map
    return to_enum(__called) { __enum_size } unless block_given?
    out = []
    each do |*x|
      v = yield(*x)
      a = Array.try_convert(v)
      a ? out.concat(a) : out << v
    end
    out
  end
  alias collect_concat flat_map

  def select
    return to_enum(__called) { __enum_size } unless block_given?
    out = []
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      out << x if yield(x)
    end
    out
  end
  alias find_all select
  alias filter select

  def reject
    return to_enum(:reject) { __enum_size } unless block_given?
    out = []
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      out << x unless yield(x)
    end
    out
  end

  def filter_map
    return to_enum(:filter_map) { __enum_size } unless block_given?
    out = []
    each do |*x|
      v = yield(*x)
      out << v if v
    end
    out
  end

  def partition
    return to_enum(:partition) { __enum_size } unless block_given?
    yes = []
    no = []
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      (yield(x) ? yes : no) << x
    end
    [yes, no]
  end

  def group_by
    return to_enum(:group_by) { __enum_size } unless block_given?
    out = {}
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      k = yield(x)
      if (list = out[k])
        list << x
      else
        out[k] = [x]
      end
    end
    out
  end

  def tally(into = (no_into = true; nil))
    if no_into
      into = {}
    else
      into = __to_hash(into)
      into.__send__(:__check_frozen)
    end
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      n = into.fetch(x, 0)
      raise TypeError, "wrong argument type #{n.class} (expected Integer)" unless Integer === n
      into[x] = n + 1
    end
    into
  end

  def inject(init = (no_init = true; nil), op = (no_op = true; nil))
    if !no_op || !no_init && !block_given?
      if no_op
        op = init
        no_init = true
      end
      op = __op_name(op)
      each do |*x|
        x = x[0] unless __ary_len(x) > 1
        if no_init
          init = x
          no_init = false
        else
          init = init.__send__(op, x)
        end
      end
      return init
    end
    raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)" unless block_given?
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      if no_init
        init = x
        no_init = false
      else
        init = yield(init, x)
      end
    end
    init
  end
  alias reduce inject

  def count(value = (no_value = true; nil))
    n = 0
    if !no_value
      __unused_block if block_given?
      each do |*x|
        x = x[0] unless __ary_len(x) > 1
        n += 1 if x == value
      end
    elsif block_given?
      each { |*x| n += 1 if yield(*x) }
    else
      each { n += 1 }
    end
    n
  end

  def find(if_none = nil)
    return to_enum(__called, if_none) unless block_given?
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      return x if yield(x)
    end
    if_none&.call
  end
  alias detect find

  def find_index(value = (no_value = true; nil))
    return to_enum(:find_index) if no_value && !block_given?
    i = 0
    if no_value
      each do |*x|
        return i if yield(*x)
        i += 1
      end
    else
      __unused_block if block_given?
      each do |*x|
        x = x[0] unless __ary_len(x) > 1
        return i if x == value
        i += 1
      end
    end
    nil
  end

  def first(n = (no_n = true; nil))
    if no_n
      each do |*x|
        return __ary_len(x) > 1 ? x : x[0]
      end
      return nil
    end
    take(n)
  end

  def take(n)
    n = __to_int(n)
    raise ArgumentError, "attempt to take negative size" if n < 0
    out = []
    return out if n == 0
    each do |*x|
      out << (__ary_len(x) > 1 ? x : x[0])
      break if out.size >= n
    end
    out
  end

  def take_while
    return to_enum(:take_while) unless block_given?
    out = []
    each do |*x|
      break unless yield(*x)
      out << (__ary_len(x) > 1 ? x : x[0])
    end
    out
  end

  def drop(n)
    n = __to_int(n)
    raise ArgumentError, "attempt to drop negative size" if n < 0
    out = []
    i = 0
    each do |*x|
      out << (__ary_len(x) > 1 ? x : x[0]) if i >= n
      i += 1
    end
    out
  end

  def drop_while
    return to_enum(:drop_while) unless block_given?
    out = []
    dropping = true
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      dropping = false if dropping && !yield(x)
      out << x unless dropping
    end
    out
  end

  def include?(value)
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      return true if x.equal?(value) || x == value
    end
    false
  end
  alias member? include?

  def any?(pattern = (no_pattern = true; nil))
    if !no_pattern
      __unused_block if block_given?
      each { |*x| return true if pattern === (__ary_len(x) > 1 ? x : x[0]) }
    elsif block_given?
      each { |*x| return true if yield(*x) }
    else
      each { |*x| return true if __ary_len(x) > 1 || x[0] }
    end
    false
  end

  def all?(pattern = (no_pattern = true; nil))
    if !no_pattern
      __unused_block if block_given?
      each { |*x| return false unless pattern === (__ary_len(x) > 1 ? x : x[0]) }
    elsif block_given?
      each { |*x| return false unless yield(*x) }
    else
      each { |*x| return false unless __ary_len(x) > 1 || x[0] }
    end
    true
  end

  def none?(pattern = (no_pattern = true; nil))
    if !no_pattern
      __unused_block if block_given?
      each { |*x| return false if pattern === (__ary_len(x) > 1 ? x : x[0]) }
    elsif block_given?
      each { |*x| return false if yield(*x) }
    else
      each { |*x| return false if __ary_len(x) > 1 || x[0] }
    end
    true
  end

  def one?(pattern = (no_pattern = true; nil))
    n = 0
    if !no_pattern
      __unused_block if block_given?
      each do |*x|
        n += 1 if pattern === (__ary_len(x) > 1 ? x : x[0])
        return false if n > 1
      end
    elsif block_given?
      each do |*x|
        n += 1 if yield(*x)
        return false if n > 1
      end
    else
      each do |*x|
        n += 1 if __ary_len(x) > 1 || x[0]
        return false if n > 1
      end
    end
    n == 1
  end

  # Without a block a Regexp leaves `$~` alone.
  private def __match?(pattern, x)
    x = String.try_convert(x) unless Symbol === x
    x ? pattern.match?(x) : false
  end

  def grep(pattern)
    quiet = !block_given? && Regexp === pattern
    out = []
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      out << (block_given? ? yield(x) : x) if quiet ? __match?(pattern, x) : pattern === x
    end
    out
  end

  def grep_v(pattern)
    quiet = !block_given? && Regexp === pattern
    out = []
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      out << (block_given? ? yield(x) : x) unless quiet ? __match?(pattern, x) : pattern === x
    end
    out
  end

  def sort
    return to_a.sort unless block_given?
    to_a.sort { |a, b| yield a, b }
  end

  def sort_by
    return to_enum(:sort_by) { __enum_size } unless block_given?
    keys = []
    values = []
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      keys << yield(x)
      values << x
    end
    values.__send__(:__sort_by, keys)
  end

  def min(n = nil)
    return __entries.min(n) unless block_given?
    __entries.min(n) { |a, b| yield a, b }
  end

  def max(n = nil)
    return __entries.max(n) unless block_given?
    __entries.max(n) { |a, b| yield a, b }
  end

  def minmax
    return __entries.minmax unless block_given?
    __entries.minmax { |a, b| yield a, b }
  end

  private def __entries
    out = []
    each { |*x| out << (__ary_len(x) > 1 ? x : x[0]) }
    out
  end

  def min_by(n = nil)
    return to_enum(:min_by, *n) { __enum_size } unless block_given?
    return sort_by { |x| yield x }.first(__size_arg(n)) unless n.nil?
    best = best_key = nil
    none = true
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      k = yield(x)
      if none || __compare(k, best_key) < 0
        best = x
        best_key = k
        none = false
      end
    end
    best
  end

  def max_by(n = nil)
    return to_enum(:max_by, *n) { __enum_size } unless block_given?
    return sort_by { |x| yield x }.reverse!.first(__size_arg(n)) unless n.nil?
    best = best_key = nil
    none = true
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      k = yield(x)
      if none || __compare(k, best_key) > 0
        best = x
        best_key = k
        none = false
      end
    end
    best
  end

  private def __size_arg(n)
    n = __to_int(n)
    raise ArgumentError, "negative size (#{n})" if n < 0
    n
  end

  def minmax_by
    return to_enum(:minmax_by) { __enum_size } unless block_given?
    low = low_key = high = high_key = nil
    none = true
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      k = yield(x)
      if none
        low = high = x
        low_key = high_key = k
        none = false
      else
        if __compare(k, low_key) < 0
          low = x
          low_key = k
        end
        if __compare(k, high_key) > 0
          high = x
          high_key = k
        end
      end
    end
    [low, high]
  end

  def each_with_index(*args, **opts)
    return to_enum(:each_with_index, *args, **opts) { __enum_size } unless block_given?
    i = 0
    each(*args, **opts) do |*x|
      x = x[0] unless __ary_len(x) > 1
      yield x, i
      i += 1
    end
    self
  end

  def each_with_object(memo)
    return to_enum(:each_with_object, memo) { __enum_size } unless block_given?
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      yield x, memo
    end
    memo
  end

  def reverse_each(*args)
    return to_enum(:reverse_each, *args) { __enum_size } unless block_given?
    list = to_a(*args)
    i = list.size
    while i > 0
      i -= 1
      yield list[i]
    end
    self
  end

  def each_entry(*args, **opts)
    return to_enum(:each_entry, *args, **opts) { __enum_size } unless block_given?
    each(*args, **opts) do |*x|
      yield(__ary_len(x) > 1 ? x : x[0])
    end
    self
  end

  def each_slice(n)
    n = __to_int(n)
    raise ArgumentError, "invalid slice size" if n <= 0
    unless block_given?
      return to_enum(:each_slice, n) do
        len = __enum_size
        len && (len + n - 1).div(n)
      end
    end
    list = []
    each do |*x|
      list << (__ary_len(x) > 1 ? x : x[0])
      if list.size == n
        full = list
        list = []
        yield full
      end
    end
    yield list unless list.empty?
    self
  end

  def each_cons(n)
    n = __to_int(n)
    raise ArgumentError, "invalid size" if n <= 0
    unless block_given?
      return to_enum(:each_cons, n) do
        len = __enum_size
        len && (len < n ? 0 : len - n + 1)
      end
    end
    list = []
    each do |*x|
      list.shift if list.size == n
      list << (__ary_len(x) > 1 ? x : x[0])
      yield list.dup if list.size == n
    end
    self
  end

  def zip(*others)
    sources = others.map { |o| Array.try_convert(o) || __each_entry(o) }
    i = 0
    out = block_given? ? nil : []
    each do |*x|
      row = [__ary_len(x) > 1 ? x : x[0]]
      sources.each_with_index do |s, k|
        if __array?(s)
          row << s[i]
        elsif s
          begin
            row << s.next
          rescue StopIteration
            sources[k] = nil
            row << nil
          end
        else
          row << nil
        end
      end
      i += 1
      out ? out << row : yield(row)
    end
    out
  end

  private def __each_entry(o)
    raise TypeError, "wrong argument type #{o.class} (must respond to :each)" unless o.respond_to?(:each)
    o.to_enum(:each)
  end

  def cycle(times = nil)
    unless block_given?
      return to_enum(:cycle, times) do
        n = __enum_size
        if n.nil? || n == 0
          n
        elsif times.nil?
          Float::INFINITY
        else
          k = __to_int(times)
          k < 0 ? 0 : n * k
        end
      end
    end
    unless times.nil?
      times = __to_int(times)
      return nil if times <= 0
    end
    list = []
    each do |*x|
      x = x[0] unless __ary_len(x) > 1
      list << x
      yield x
    end
    return nil if list.empty?
    while times.nil? || (times -= 1) > 0
      i = 0
      while i < list.size
        yield list[i]
        i += 1
      end
    end
    nil
  end

  def to_h(*args)
    out = {}
    each(*args) do |*x|
      x = x[0] unless __ary_len(x) > 1
      x = yield(x) if block_given?
      pair = Array.try_convert(x)
      unless pair
        raise TypeError, "wrong element type #{x.class} (expected array)"
      end
      if pair.size != 2
        raise ArgumentError, "element has wrong array length (expected 2, was #{pair.size})"
      end
      out[pair[0]] = pair[1]
    end
    out
  end

  def uniq
    return __entries.uniq unless block_given?
    __entries.uniq { |x| yield x }
  end

  def compact
    __entries.compact
  end

  def chunk(&block)
    return to_enum(:chunk) { __enum_size } unless block
    source = self
    Enumerator.new do |y|
      key = list = nil
      source.each do |*x|
        x = x[0] unless __ary_len(x) > 1
        k = block.call(x)
        if k == :_alone
          y << [key, list] if list
          y << [:_alone, [x]]
          list = nil
        elsif k.nil? || k == :_separator
          y << [key, list] if list
          list = nil
        elsif Symbol === k && k.start_with?("_")
          raise RuntimeError, "symbols beginning with an underscore are reserved"
        elsif list && k == key
          list << x
        else
          y << [key, list] if list
          key = k
          list = [x]
        end
      end
      y << [key, list] if list
      nil
    end
  end

  def slice_before(pattern = (no_pattern = true; nil), &block)
    if block
      raise ArgumentError, "both pattern and block are given" unless no_pattern
    elsif no_pattern
      raise ArgumentError, "wrong number of arguments (given 0, expected 1)"
    end
    source = self
    Enumerator.new do |y|
      list = nil
      source.each do |*x|
        x = x[0] unless __ary_len(x) > 1
        if list && (block ? block.call(x) : pattern === x)
          y << list
          list = [x]
        elsif list
          list << x
        else
          (block ? block.call(x) : pattern === x)
          list = [x]
        end
      end
      y << list if list
      nil
    end
  end

  def slice_after(pattern = (no_pattern = true; nil), &block)
    if block
      raise ArgumentError, "both pattern and block are given" unless no_pattern
    elsif no_pattern
      raise ArgumentError, "wrong number of arguments (given 0, expected 1)"
    end
    source = self
    Enumerator.new do |y|
      list = nil
      source.each do |*x|
        x = x[0] unless __ary_len(x) > 1
        list ? list << x : list = [x]
        if block ? block.call(x) : pattern === x
          y << list
          list = nil
        end
      end
      y << list if list
      nil
    end
  end

  def slice_when(&block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    __slice_between(true, block)
  end

  def chunk_while(&block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    __slice_between(false, block)
  end

  private def __slice_between(cut, block)
    source = self
    Enumerator.new do |y|
      list = last = nil
      source.each do |*x|
        x = x[0] unless __ary_len(x) > 1
        if list.nil?
          list = [x]
        elsif !block.call(last, x) == cut
          list << x
        else
          y << list
          list = [x]
        end
        last = x
      end
      y << list if list
      nil
    end
  end

  def chain(*others)
    Enumerator::Chain.new(self, *others)
  end

  def lazy
    Enumerator::Lazy.__of(self)
  end

  def to_set(*args, &block)
    return Set.new(self, &block) if args.empty?
    __warn_here("passing arguments to Enumerable#to_set is deprecated")
    klass = args.shift
    klass.new(self, *args, &block)
  end
end
