# Loops of Hash go from slot to slot: entries may come and go meanwhile. New keys are refused while `__enter`ed.
class Hash
  def each
    return to_enum(__called) { size } unless block_given?
    __enter
    begin
      i = -1
      if __pair_block?
        while (i = __next_slot(i + 1))
          yield __key_at(i), __value_at(i)
        end
      else
        while (i = __next_slot(i + 1))
          yield __pair_at(i)
        end
      end
    ensure
      __leave
    end
    self
  end
  alias each_pair each

  def each_key
    return to_enum(:each_key) { size } unless block_given?
    __enter
    begin
      i = -1
      while (i = __next_slot(i + 1))
        yield __key_at(i)
      end
    ensure
      __leave
    end
    self
  end

  def each_value
    return to_enum(:each_value) { size } unless block_given?
    __enter
    begin
      i = -1
      while (i = __next_slot(i + 1))
        yield __value_at(i)
      end
    ensure
      __leave
    end
    self
  end

  # Deletes the entries for which the block's truth is `drop`; true if there were any.
  private def __drop(drop)
    n = size
    __enter
    begin
      i = -1
      while (i = __next_slot(i + 1))
        __delete_at(i) if !yield(__key_at(i), __value_at(i)) != drop
      end
    ensure
      __leave
    end
    n != size
  end

  def select
    return to_enum(__called) { size } unless block_given?
    out = __copy
    out.__send__(:__drop, false) { |k, v| yield k, v }
    out
  end
  alias filter select

  def reject
    return to_enum(:reject) { size } unless block_given?
    out = __copy
    out.__send__(:__drop, true) { |k, v| yield k, v }
    out
  end

  def select!
    return to_enum(__called) { size } unless block_given?
    __check_frozen
    __drop(false) { |k, v| yield k, v } ? self : nil
  end
  alias filter! select!

  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    __check_frozen
    __drop(false) { |k, v| yield k, v }
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    __check_frozen
    __drop(true) { |k, v| yield k, v } ? self : nil
  end

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    __check_frozen
    __drop(true) { |k, v| yield k, v }
    self
  end

  def any?(pattern = (no_pattern = true; nil))
    if !no_pattern
      __unused_block if block_given?
      each { |pair| return true if pattern === pair }
      return false
    end
    return size > 0 unless block_given?
    if __pair_block?
      each { |k, v| return true if yield(k, v) }
    else
      each { |pair| return true if yield(pair) }
    end
    false
  end

  def count(value = (no_value = true; nil))
    return super unless no_value
    return size unless block_given?
    n = 0
    each { |k, v| n += 1 if yield(k, v) }
    n
  end

  def map
    return to_enum(__called) { size } unless block_given?
    out = []
    if __pair_block?(true)
      each { |k, v| out << yield(k, v) }
    else
      each { |pair| out << yield(pair) }
    end
    out
  end
  alias collect map

  def transform_values
    return to_enum(:transform_values) { size } unless block_given?
    out = __copy
    i = -1
    while (i = out.__send__(:__next_slot, i + 1))
      out.__send__(:__set_at, i, yield(out.__send__(:__value_at, i)))
    end
    out
  end

  def transform_values!
    return to_enum(:transform_values!) { size } unless block_given?
    __check_frozen
    __enter
    begin
      i = -1
      while (i = __next_slot(i + 1))
        __set_at(i, yield(__value_at(i)))
      end
    ensure
      __leave
    end
    self
  end

  def transform_keys(names = (no_names = true; nil))
    return to_enum(:transform_keys) { size } if no_names && !block_given?
    names = __to_hash(names) unless no_names
    out = {}
    __enter
    begin
      i = -1
      while (i = __next_slot(i + 1))
        k = __key_at(i)
        if no_names
          k = yield(k)
        elsif names.key?(k)
          k = names[k]
        elsif block_given?
          k = yield(k)
        else
          d = names[k]
          k = d unless d.nil?
        end
        out[k] = __value_at(i)
      end
    ensure
      __leave
    end
    out
  end

  def transform_keys!(names = (no_names = true; nil))
    return to_enum(:transform_keys!) { size } if no_names && !block_given?
    names = __to_hash(names) unless no_names
    __check_frozen
    pairs = to_a
    fresh = {}
    fresh.compare_by_identity if compare_by_identity?
    i = 0
    begin
      while i < pairs.size
        k, v = pairs[i]
        if no_names
          n = yield(k)
        elsif names.key?(k)
          n = names[k]
        elsif block_given?
          n = yield(k)
        else
          n = k
        end
        delete(k) unless fresh.key?(k)
        self[n] = v
        fresh[n] = nil
        i += 1
      end
    end
    self
  end

  def min_by(n = nil)
    return to_enum(:min_by, *n) { size } unless block_given?
    return super unless n.nil?
    to_a.min_by { |pair| yield pair }
  end

  def max_by(n = nil)
    return to_enum(:max_by, *n) { size } unless block_given?
    return super unless n.nil?
    to_a.max_by { |pair| yield pair }
  end

  def find(if_none = nil)
    return to_enum(:find, if_none) unless block_given?
    each { |pair| return pair if yield(pair) }
    if_none&.call
  end

  def sum(init = 0)
    return super unless block_given?
    to_a.sum(init) { |pair| yield pair }
  end

  def filter_map
    return to_enum(:filter_map) { size } unless block_given?
    out = []
    each do |pair|
      v = yield(pair)
      out << v if v
    end
    out
  end
end
