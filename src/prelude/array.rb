# Loops of Array. The length is read again at each turn: the block may change the array.
class Array
  def each
    return to_enum(:each) { size } unless block_given?
    i = 0
    while i < __ary_len(self)
      yield __ary_at(self, i)
      i += 1
    end
    self
  end

  def each_index
    return to_enum(:each_index) { size } unless block_given?
    i = 0
    while i < __ary_len(self)
      yield i
      i += 1
    end
    self
  end

  def each_with_index(*args)
    return super unless args.empty?
    return to_enum(:each_with_index) { size } unless block_given?
    i = 0
    while i < __ary_len(self)
      yield __ary_at(self, i), i
      i += 1
    end
    self
  end

  def each_with_object(memo)
    return to_enum(:each_with_object, memo) { size } unless block_given?
    i = 0
    while i < __ary_len(self)
      yield __ary_at(self, i), memo
      i += 1
    end
    memo
  end

  def reverse_each
    return to_enum(:reverse_each) { size } unless block_given?
    i = __ary_len(self)
    while i > 0
      i -= 1
      n = __ary_len(self)
      i = n - 1 if i >= n
      yield __ary_at(self, i) if i >= 0
    end
    self
  end

  def map
    return to_enum(__called) { size } unless block_given?
    out = []
    i = 0
    while i < __ary_len(self)
      out << yield(__ary_at(self, i))
      i += 1
    end
    out
  end
  alias collect map

  def map!
    return to_enum(__called) { size } unless block_given?
    __check_frozen
    i = 0
    while i < __ary_len(self)
      __put(i, yield(__ary_at(self, i)))
      i += 1
    end
    self
  end
  alias collect! map!

  def flat_map
    return to_enum(:flat_map) { size } unless block_given?
    out = []
    i = 0
    while i < __ary_len(self)
      v = yield(__ary_at(self, i))
      if __array?(v)
        out.concat(v)
      else
        a = Array.try_convert(v)
        a ? out.concat(a) : out << v
      end
      i += 1
    end
    out
  end

  def select
    return to_enum(__called) { size } unless block_given?
    out = []
    i = 0
    while i < __ary_len(self)
      x = __ary_at(self, i)
      out << x if yield(x)
      i += 1
    end
    out
  end
  alias filter select

  def reject
    return to_enum(:reject) { size } unless block_given?
    out = []
    i = 0
    while i < __ary_len(self)
      x = __ary_at(self, i)
      out << x unless yield(x)
      i += 1
    end
    out
  end

  def filter_map
    return to_enum(:filter_map) { size } unless block_given?
    out = []
    i = 0
    while i < __ary_len(self)
      v = yield(__ary_at(self, i))
      out << v if v
      i += 1
    end
    out
  end

  def partition
    return to_enum(:partition) { size } unless block_given?
    yes = []
    no = []
    i = 0
    while i < __ary_len(self)
      x = __ary_at(self, i)
      (yield(x) ? yes : no) << x
      i += 1
    end
    [yes, no]
  end

  def group_by
    return to_enum(:group_by) { size } unless block_given?
    out = {}
    i = 0
    while i < __ary_len(self)
      x = __ary_at(self, i)
      k = yield(x)
      if (list = out[k])
        list << x
      else
        out[k] = [x]
      end
      i += 1
    end
    out
  end

  # What was kept is moved down at the end, however the loop ends.
  private def __keep(want)
    i = keep = 0
    begin
      while i < __ary_len(self)
        x = __ary_at(self, i)
        if !yield(x) == want
          i += 1
          next
        end
        __put(keep, x) if keep != i
        keep += 1
        i += 1
      end
    ensure
      if keep < i
        while i < __ary_len(self)
          __put(keep, __ary_at(self, i))
          keep += 1
          i += 1
        end
        __set_len(keep)
      end
    end
    self
  end

  def select!
    return to_enum(__called) { size } unless block_given?
    __check_frozen
    n = __ary_len(self)
    __keep(true) { |x| yield x }
    n == __ary_len(self) ? nil : self
  end
  alias filter! select!

  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    __check_frozen
    __keep(true) { |x| yield x }
  end

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    __check_frozen
    n = __ary_len(self)
    __keep(false) { |x| yield x }
    n == __ary_len(self) ? nil : self
  end

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    __check_frozen
    __keep(false) { |x| yield x }
  end

  def inject(init = (no_init = true; nil), op = (no_op = true; nil))
    unless block_given? && no_op
      raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)" if no_init && no_op
      if no_op
        op = init
        no_init = true
      end
      op = __op_name(op)
      i = 0
      if no_init
        return nil if __ary_len(self) == 0
        init = __ary_at(self, 0)
        i = 1
      end
      if op == :+
        while i < __ary_len(self)
          init = init + __ary_at(self, i)
          i += 1
        end
      else
        while i < __ary_len(self)
          init = init.__send__(op, __ary_at(self, i))
          i += 1
        end
      end
      return init
    end
    i = 0
    if no_init
      return nil if __ary_len(self) == 0
      init = __ary_at(self, 0)
      i = 1
    end
    while i < __ary_len(self)
      init = yield(init, __ary_at(self, i))
      i += 1
    end
    init
  end
  alias reduce inject

  def find(if_none = nil)
    return to_enum(__called, if_none) unless block_given?
    i = 0
    while i < __ary_len(self)
      x = __ary_at(self, i)
      return x if yield(x)
      i += 1
    end
    if_none&.call
  end
  alias detect find

  def rfind(if_none = nil)
    return to_enum(:rfind, if_none) unless block_given?
    i = __ary_len(self)
    while i > 0
      i -= 1
      n = __ary_len(self)
      i = n - 1 if i >= n
      break if i < 0
      x = __ary_at(self, i)
      return x if yield(x)
    end
    if_none&.call
  end

  def find_index(value = (no_value = true; nil))
    unless no_value
      __unused_block if block_given?
      return __index(value)
    end
    return to_enum(__called) unless block_given?
    i = 0
    while i < __ary_len(self)
      return i if yield(__ary_at(self, i))
      i += 1
    end
    nil
  end
  alias index find_index

  def rindex(value = (no_value = true; nil))
    unless no_value
      __unused_block if block_given?
      return __rindex(value)
    end
    return to_enum(:rindex) unless block_given?
    i = __ary_len(self)
    while i > 0
      i -= 1
      n = __ary_len(self)
      i = n - 1 if i >= n
      break if i < 0
      return i if yield(__ary_at(self, i))
    end
    nil
  end

  def count(value = (no_value = true; nil))
    unless no_value
      __unused_block if block_given?
      return __count(value)
    end
    return __ary_len(self) unless block_given?
    i = n = 0
    while i < __ary_len(self)
      n += 1 if yield(__ary_at(self, i))
      i += 1
    end
    n
  end

  def any?(pattern = (no_pattern = true; nil))
    i = 0
    if !no_pattern
      __unused_block if block_given?
      while i < __ary_len(self)
        return true if pattern === __ary_at(self, i)
        i += 1
      end
    elsif block_given?
      while i < __ary_len(self)
        return true if yield(__ary_at(self, i))
        i += 1
      end
    else
      while i < __ary_len(self)
        return true if __ary_at(self, i)
        i += 1
      end
    end
    false
  end

  def all?(pattern = (no_pattern = true; nil))
    i = 0
    if !no_pattern
      __unused_block if block_given?
      while i < __ary_len(self)
        return false unless pattern === __ary_at(self, i)
        i += 1
      end
    elsif block_given?
      while i < __ary_len(self)
        return false unless yield(__ary_at(self, i))
        i += 1
      end
    else
      while i < __ary_len(self)
        return false unless __ary_at(self, i)
        i += 1
      end
    end
    true
  end

  def none?(pattern = (no_pattern = true; nil))
    i = 0
    if !no_pattern
      __unused_block if block_given?
      while i < __ary_len(self)
        return false if pattern === __ary_at(self, i)
        i += 1
      end
    elsif block_given?
      while i < __ary_len(self)
        return false if yield(__ary_at(self, i))
        i += 1
      end
    else
      while i < __ary_len(self)
        return false if __ary_at(self, i)
        i += 1
      end
    end
    true
  end

  def one?(pattern = (no_pattern = true; nil))
    __unused_block if !no_pattern && block_given?
    i = n = 0
    while i < __ary_len(self)
      x = __ary_at(self, i)
      if !no_pattern
        n += 1 if pattern === x
      elsif block_given?
        n += 1 if yield(x)
      elsif x
        n += 1
      end
      return false if n > 1
      i += 1
    end
    n == 1
  end

  def sort_by
    return to_enum(:sort_by) { size } unless block_given?
    keys = []
    values = []
    i = 0
    while i < __ary_len(self)
      x = __ary_at(self, i)
      keys << yield(x)
      values << x
      i += 1
    end
    values.__send__(:__sort_by, keys)
  end

  def sort_by!
    return to_enum(:sort_by!) { size } unless block_given?
    __check_frozen
    replace(sort_by { |x| yield x })
  end

  def take_while
    return to_enum(:take_while) unless block_given?
    i = 0
    i += 1 while i < __ary_len(self) && yield(__ary_at(self, i))
    take(i)
  end

  def drop_while
    return to_enum(:drop_while) unless block_given?
    i = 0
    i += 1 while i < __ary_len(self) && yield(__ary_at(self, i))
    drop(i)
  end

  def cycle(times = nil)
    unless block_given?
      return to_enum(:cycle, times) do
        if times.nil?
          empty? ? 0 : Float::INFINITY
        else
          n = __to_int(times)
          n > 0 ? size * n : 0
        end
      end
    end
    if times.nil?
      while __ary_len(self) > 0
        i = 0
        while i < __ary_len(self)
          yield __ary_at(self, i)
          i += 1
        end
      end
    else
      n = __to_int(times)
      while n > 0 && __ary_len(self) > 0
        i = 0
        while i < __ary_len(self)
          yield __ary_at(self, i)
          i += 1
        end
        n -= 1
      end
    end
    nil
  end

  def bsearch
    return to_enum(:bsearch) unless block_given?
    i = bsearch_index { |x| yield x }
    i && __ary_at(self, i)
  end

  def bsearch_index
    return to_enum(:bsearch_index) unless block_given?
    low = 0
    high = __ary_len(self)
    found = nil
    while low < high
      mid = low + (high - low) / 2
      v = yield(__ary_at(self, mid))
      if v == true
        found = high = mid
      elsif v == false || v.nil?
        low = mid + 1
      elsif Numeric === v
        return mid if v == 0
        v > 0 ? low = mid + 1 : high = mid
      else
        raise TypeError, "wrong argument type #{v.class} (must be numeric, true, false or nil)"
      end
    end
    found
  end

  def each_slice(n)
    n = __to_int(n)
    raise ArgumentError, "invalid slice size" if n <= 0
    return to_enum(:each_slice, n) { (size + n - 1) / n } unless block_given?
    i = 0
    while i < __ary_len(self)
      yield self[i, n]
      i += n
    end
    self
  end

  def each_cons(n)
    n = __to_int(n)
    raise ArgumentError, "invalid size" if n <= 0
    return to_enum(:each_cons, n) { size < n ? 0 : size - n + 1 } unless block_given?
    i = 0
    while i + n <= __ary_len(self)
      yield self[i, n]
      i += 1
    end
    self
  end
end
