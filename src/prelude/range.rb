class Range
  def __iterable?(x)
    raise TypeError, "can't iterate from #{x.class}" unless x.respond_to?(:succ)
  end

  def each
    return to_enum(:each) { size } unless block_given?
    i = self.begin
    last = self.end
    if __fixnum?(i) && __fixnum?(last)
      if exclude_end?
        while i < last
          yield i
          i += 1
        end
      else
        while i <= last
          yield i
          i += 1
        end
      end
    elsif Integer === i && (last.nil? || Integer === last)
      if last.nil?
        while true
          yield i
          i += 1
        end
      else
        while exclude_end? ? i < last : i <= last
          yield i
          i += 1
        end
      end
    elsif Symbol === i && (last.nil? || Symbol === last)
      text = i.name
      if last.nil?
        while true
          yield text.to_sym
          text = text.succ
        end
      else
        text.upto(last.name, exclude_end?) { |s| yield s.to_sym }
      end
    elsif (text = String.try_convert(i))
      if last.nil?
        while true
          yield text
          text = text.succ
        end
      else
        text.upto(last, exclude_end?) { |s| yield s }
      end
    else
      __iterable?(i)
      if last.nil?
        while true
          yield i
          i = i.succ
        end
      else
        while (c = i <=> last) && (c = __compare_value(c)) && (c < 0 || c == 0 && !exclude_end?)
          yield i
          break if c == 0
          i = i.succ
        end
      end
    end
    self
  end

  def reverse_each
    unless block_given?
      return to_enum(:reverse_each) do
        last = self.end
        raise TypeError, "can't iterate from #{last.class}" if last.nil?
        first = self.begin
        next size if Integer === first && Numeric === last
        next Float::INFINITY if first.nil? && Integer === last
        raise TypeError, "can't iterate from #{last.class}" if Integer === first || !first.respond_to?(:succ)
        nil
      end
    end
    first = self.begin
    i = self.end
    raise TypeError, "can't iterate from #{i.class}" if i.nil?
    if Integer === i && (first.nil? || Integer === first)
      i -= 1 if exclude_end?
      if first.nil?
        while true
          yield i
          i -= 1
        end
      else
        while i >= first
          yield i
          i -= 1
        end
      end
      self
    else
      super { |x| yield x }
    end
  end

  def map
    return to_enum(:map) { size } unless block_given?
    out = []
    i = self.begin
    last = self.end
    if __fixnum?(i) && __fixnum?(last)
      last -= 1 if exclude_end?
      while i <= last
        out << yield(i)
        i += 1
      end
    else
      each { |x| out << yield(x) }
    end
    out
  end

  def size
    i = self.begin
    last = self.end
    if Integer === i
      return i.__send__(:__step_size, last, 1, exclude_end?) if Numeric === last
      return Float::INFINITY if last.nil?
    end
    __iterable?(i)
    nil
  end

  def count(value = (no_value = true; nil))
    unless no_value
      return super(value)
    end
    if block_given?
      n = 0
      each { |x| n += 1 if yield(x) }
      return n
    end
    return Float::INFINITY if self.begin.nil? || self.end.nil?
    return size if Integer === self.begin && Integer === self.end
    super()
  end

  def to_a
    raise RangeError, "cannot convert endless range to an array" if self.end.nil?
    __ints || super
  end

  def to_set(*args, &block)
    raise RangeError, "cannot convert endless range to a set" if self.end.nil?
    super
  end

  alias entries to_a

  def first(n = (no_n = true; nil))
    raise RangeError, "cannot get the first element of beginless range" if self.begin.nil?
    return self.begin if no_n
    n = __to_int(n)
    raise ArgumentError, "negative array size (or size too big)" if n < 0
    out = []
    return out if n == 0
    each do |x|
      out << x
      break if out.size >= n
    end
    out
  end

  def last(n = (no_n = true; nil))
    raise RangeError, "cannot get the last element of endless range" if self.end.nil?
    return self.end if no_n
    last = self.end
    first = self.begin
    return to_a.last(n) unless Integer === last && (first.nil? || Integer === first)
    n = __to_int(n)
    raise ArgumentError, "negative array size" if n < 0
    last -= 1 if exclude_end?
    from = last - n + 1
    from = first if first && from < first
    (from..last).to_a
  end

  def min(n = (no_n = true; nil))
    raise RangeError, "cannot get the minimum of beginless range" if self.begin.nil?
    if block_given?
      raise RangeError, "cannot get the minimum of endless range with custom comparison method" if self.end.nil?
      return no_n ? super() { |a, b| yield a, b } : super(n) { |a, b| yield a, b }
    end
    return first(n) unless no_n
    c = self.end.nil? ? -1 : __compare(self.begin, self.end)
    c > 0 || c == 0 && exclude_end? ? nil : self.begin
  end

  def max(n = (no_n = true; nil))
    last = self.end
    raise RangeError, "cannot get the maximum of endless range" if last.nil?
    if block_given? || exclude_end? && !(Numeric === last)
      if self.begin.nil?
        raise RangeError, "cannot get the maximum of beginless range with custom comparison method"
      end
      if block_given?
        return no_n ? super() { |a, b| yield a, b } : super(n) { |a, b| yield a, b }
      end
      return no_n ? super() : super(n)
    end
    unless no_n
      n = __to_int(n)
      raise ArgumentError, "negative array size (or size too big)" if n < 0
      out = []
      return out if n == 0
      reverse_each do |x|
        out << x
        break if out.size >= n
      end
      return out
    end
    c = self.begin.nil? ? -1 : __compare(self.begin, last)
    return nil if c > 0
    if exclude_end?
      raise TypeError, "cannot exclude non Integer end value" unless Integer === last
      return nil if c == 0
      unless self.begin.nil? || Integer === self.begin
        raise TypeError, "cannot exclude end value with non Integer begin value"
      end
      return last - 1
    end
    last
  end

  def minmax
    return super { |a, b| yield a, b } if block_given?
    [min, max]
  end

  def sum(init = 0)
    if !block_given? && Integer === self.begin && Integer === self.end && Integer === init
      last = exclude_end? ? self.end - 1 : self.end
      return init if last < self.begin
      return init + (last - self.begin + 1) * (last + self.begin) / 2
    end
    return super(init) unless block_given?
    super(init) { |x| yield x }
  end

  def inject(init = (no_init = true; nil), op = (no_op = true; nil))
    i = self.begin
    last = self.end
    unless block_given? && no_op && __fixnum?(i) && __fixnum?(last)
      return super() { |a, b| yield a, b } if no_init && block_given?
      return super(init) { |a, b| yield a, b } if no_op && block_given?
      return no_op ? super(init) : super(init, op)
    end
    last -= 1 if exclude_end?
    if no_init
      return nil if i > last
      init = i
      i += 1
    end
    while i <= last
      init = yield(init, i)
      i += 1
    end
    init
  end
  alias reduce inject

  def include?(value)
    first = self.begin
    last = self.end
    if Numeric === first || Numeric === last || __time?(first) || __time?(last)
      return cover?(value) unless Range === value
      return false
    end
    if String === first && String === last
      value = String.try_convert(value)
      return false unless value
      if first.size == 1 && last.size == 1 && first.ascii_only? && last.ascii_only?
        return false if value.size != 1
        return cover?(value)
      end
      first.upto(last, exclude_end?) { |s| return true if s == value }
      return false
    end
    if first.nil? || last.nil?
      return true if first.nil? && last.nil? && (Numeric === value || __time?(value))
      raise TypeError, "cannot determine inclusion in beginless/endless ranges"
    end
    super
  end
  alias member? include?

  def __time?(x)
    Time === x
  end

  def step(*args)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    return __step(:step, args) unless block_given?
    __step(:step, args) { |x| yield x }
  end

  def %(step)
    return __step(:%, [step]) unless block_given?
    __step(:%, [step]) { |x| yield x }
  end

  private def __step(name, args)
    b = self.begin
    e = self.end
    numeric = Numeric === b
    text = String.try_convert(b)
    symbol = Symbol === b
    if args.empty?
      unless numeric || text || symbol || b.nil? && Numeric === e
        raise ArgumentError, "step is required for non-numeric ranges"
      end
      step = 1
    else
      step = args[0]
    end
    step_numeric = Numeric === step
    raise ArgumentError, "step can't be 0" if step_numeric && numeric && step == 0
    unless block_given?
      if step_numeric && (numeric && (e.nil? || Numeric === e) || b.nil? && Numeric === e)
        return __arith_seq([self, name, *args], b, e, step, exclude_end?)
      end
      raise ArgumentError, "#step for non-numeric beginless ranges is meaningless" if b.nil?
      return to_enum(name, *args)
    end
    raise ArgumentError, "#step iteration for beginless ranges is meaningless" if b.nil?
    if numeric && step_numeric && (Float === b || Float === e || Float === step)
      b.__send__(:__each_float_step, e, step, exclude_end?) { |x| yield x }
    elsif (text || symbol) && __fixnum?(step)
      raise ArgumentError, "step can't be negative" if step < 0
      raise ArgumentError, "step can't be 0" if step == 0
      i = 0
      each do |x|
        yield x if i % step == 0
        i += 1
      end
    elsif e.nil?
      while true
        yield b
        b += step
      end
    elsif numeric && step_numeric
      if step < 0
        while exclude_end? ? b > e : b >= e
          yield b
          b += step
        end
      else
        while exclude_end? ? b < e : b <= e
          yield b
          b += step
        end
      end
    else
      way = __compare(b, e)
      if way == 0
        yield b unless exclude_end?
      elsif way == __compare(b, b + step)
        while (c = __compare(b, e)) == way || c == 0 && !exclude_end?
          yield b
          break if c == 0
          b += step
        end
      end
    end
    self
  end

  def bsearch
    b = self.begin
    e = self.end
    if Float === b || Float === e
      return to_enum(:bsearch) unless block_given?
      low = __float_rank(b.nil? ? -Float::INFINITY : Float(b))
      high = __float_rank(e.nil? ? Float::INFINITY : Float(e))
      __bsearch(low, high, exclude_end?) { |i| yield __float_at(i) }
    elsif Integer === b && Integer === e
      return to_enum(:bsearch) unless block_given?
      __bsearch(b, e, exclude_end?) { |i| yield i }
    elsif Integer === b && e.nil?
      return to_enum(:bsearch) unless block_given?
      diff = 1
      while true
        mid = b + diff
        v = yield mid
        return mid if v != true && Numeric === v && v == 0
        return __bsearch(b, mid, false) { |i| yield i } if __smaller?(v)
        diff *= 2
        b = mid
      end
    elsif b.nil? && Integer === e
      return to_enum(:bsearch) unless block_given?
      diff = -1
      while true
        mid = e + diff
        v = yield mid
        return mid if v != true && Numeric === v && v == 0
        return __bsearch(mid, e, false) { |i| yield i } unless __smaller?(v)
        diff *= 2
        e = mid
      end
    else
      raise TypeError, "can't do binary search for #{b.class}"
    end
  end

  def __smaller?(v)
    if v == true
      true
    elsif v == false || v.nil?
      false
    elsif Numeric === v
      v < 0
    else
      raise TypeError, "wrong argument type #{v.class} (must be numeric, true, false or nil)"
    end
  end

  private def __bsearch(low, high, exclusive)
    float = Float === self.begin || Float === self.end
    high += 1 unless exclusive
    found = nil
    while low < high
      mid = (low + high).div(2)
      v = yield mid
      if v == true
        found = mid
        high = mid
      elsif Numeric === v && v == 0
        return float ? __float_at(mid) : mid
      elsif __smaller?(v)
        high = mid
      else
        low = mid + 1
      end
    end
    found && float ? __float_at(found) : found
  end

  def overlap?(other)
    raise TypeError, "wrong argument type #{other.class} (expected Range)" unless Range === other
    b = self.begin
    e = self.end
    ob = other.begin
    oe = other.end
    return false if __empty_region?(b, oe, other.exclude_end?) || __empty_region?(ob, e, exclude_end?)
    if !b.nil? && !ob.nil?
      c = b <=> ob
      return false if c.nil?
      return true if c == 0
    elsif b.nil? && !e.nil? && ob.nil? && !oe.nil?
      return !(e <=> oe).nil?
    end
    !__empty_region?(b, e, exclude_end?) && !__empty_region?(ob, oe, other.exclude_end?)
  end

  def __empty_region?(b, e, exclusive)
    return false if b.nil? || e.nil?
    c = b <=> e
    return true if c.nil?
    c > 0 || exclusive && c == 0
  end

  def clamp(min, max = (no_max = true; nil))
    exclusive = false
    if no_max
      range = min
      raise TypeError, "wrong argument type #{range.class} (expected Range)" unless Range === range
      exclusive = range.exclude_end?
      min, max = range.begin, range.end
    end
    if !min.nil? && !max.nil? && __compare(min, max) > 0
      raise ArgumentError, "min argument must be less than or equal to max argument"
    end
    b = self.begin
    e = self.end
    ex = exclude_end?
    cut_b = cut_e = 0
    unless min.nil?
      if b.nil? || __compare(b, min) < 0
        cut_b = -1
        b = min
      end
      if !e.nil? && __compare(e, min) < 0
        cut_e = -1
        e = min
      end
    end
    unless max.nil?
      if cut_b == 0 && !b.nil? && __compare(b, max) > 0
        cut_b = 1
        b = max
      end
      if cut_e == 0
        c = e.nil? ? 1 : __compare(e, max)
        if c > 0
          cut_e = 1
          e = max
          ex = exclusive
        elsif c == 0
          ex ||= exclusive
        end
      end
    end
    ex = true if cut_b != 0 && cut_b == cut_e
    Range.new(b, e, ex)
  end
end

class Numeric
  private def __each_float_step(limit, step, exclusive)
    first = Float(self)
    unit = Float(step)
    if limit.nil?
      i = 0
      while true
        yield i * unit + first
        i += 1
      end
    end
    last = Float(limit)
    n = __step_size(limit, unit, exclusive)
    if unit.infinite?
      yield first if n > 0
    elsif unit == 0
      yield first while true
    else
      i = 0
      while i < n
        f = i * unit + first
        f = last if !exclusive && (unit >= 0 ? last < f : f < last)
        yield f
        i += 1
      end
    end
    self
  end
end
