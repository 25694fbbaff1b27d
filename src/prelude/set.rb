class Set
  private def initialize(elements = nil)
    return if elements.nil?
    if block_given?
      __each_of(elements) { |x| add(yield(x)) }
    else
      merge(elements)
    end
  end

  private def __each_of(list)
    if list.respond_to?(:each_entry)
      list.each_entry { |x| yield x }
    elsif list.respond_to?(:each)
      list.each { |x| yield x }
    else
      raise ArgumentError, "value must be enumerable"
    end
  end

  private def __set_arg(other)
    raise ArgumentError, "value must be a set" unless Set === other
    other
  end

  def each
    return to_enum(:each) { size } unless block_given?
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

  def merge(*others, **nil)
    raise RuntimeError, "cannot add to set during iteration" if __iterating?
    __check_frozen
    others.each do |o|
      __merge(o) || __each_of(o) { |x| add(x) }
    end
    self
  end

  def replace(other)
    __check_frozen
    return initialize_copy(other) if Set === other
    raise RuntimeError, "cannot replace set during iteration" if __iterating?
    unless other.respond_to?(:each_entry) || other.respond_to?(:each)
      raise ArgumentError, "value must be enumerable"
    end
    list = []
    __each_of(other) { |x| list << x }
    clear
    merge(list)
  end

  def to_set(&block)
    return self if instance_of?(Set) && !block
    Set.new(self, &block)
  end

  def |(other)
    dup.merge(other)
  end
  alias + |
  alias union |

  def &(other)
    out = self.class.allocate
    if Set === other && other.size > size
      each { |x| out.add(x) if other.include?(x) }
    elsif Set === other
      other.each { |x| out.add(x) if include?(x) }
    else
      __each_of(other) { |x| out.add(x) if include?(x) }
    end
    out
  end
  alias intersection &

  def -(other)
    dup.subtract(other)
  end
  alias difference -

  def subtract(other)
    __check_frozen
    __each_of(other) { |x| delete(x) }
    self
  end

  def ^(other)
    out = dup
    other = Set.new(other) unless Set === other
    other.each { |x| out.delete(x) unless out.add?(x) }
    out
  end

  alias eql? ==

  def <=>(other)
    return nil unless Set === other
    if size < other.size
      -1 if subset?(other)
    elsif size > other.size
      1 if superset?(other)
    elsif subset?(other)
      0
    end
  end

  def subset?(other)
    __set_arg(other)
    return false if size > other.size
    each { |x| return false unless other.include?(x) }
    true
  end
  alias <= subset?

  def proper_subset?(other)
    __set_arg(other)
    size < other.size && subset?(other)
  end
  alias < proper_subset?

  def superset?(other)
    __set_arg(other).subset?(self)
  end
  alias >= superset?

  def proper_superset?(other)
    __set_arg(other)
    size > other.size && other.subset?(self)
  end
  alias > proper_superset?

  def intersect?(other)
    if Set === other
      small, big = size < other.size ? [self, other] : [other, self]
      small.each { |x| return true if big.include?(x) }
      return false
    end
    raise ArgumentError, "value must be enumerable" unless Enumerable === other
    other.any?(self)
  end

  def disjoint?(other)
    !intersect?(other)
  end

  private def __drop(drop)
    n = size
    __enter
    begin
      i = -1
      while (i = __next_slot(i + 1))
        __delete_at(i) if !yield(__key_at(i)) != drop
      end
    ensure
      __leave
    end
    n != size
  end

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    __check_frozen
    __drop(true) { |x| yield x }
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    __check_frozen
    __drop(true) { |x| yield x } ? self : nil
  end

  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    __check_frozen
    __drop(false) { |x| yield x }
    self
  end

  def select!
    return to_enum(__called) { size } unless block_given?
    __check_frozen
    __drop(false) { |x| yield x } ? self : nil
  end
  alias filter! select!

  def select
    return to_enum(__called) { size } unless block_given?
    out = self.class.allocate
    out.compare_by_identity if compare_by_identity?
    each { |x| out.add(x) if yield(x) }
    out
  end
  alias filter select

  def reject
    return to_enum(:reject) { size } unless block_given?
    out = self.class.allocate
    out.compare_by_identity if compare_by_identity?
    each { |x| out.add(x) unless yield(x) }
    out
  end

  def partition
    return to_enum(:partition) { size } unless block_given?
    to_a.partition { |x| yield x }
  end

  def map!
    return to_enum(__called) { size } unless block_given?
    __check_frozen
    replace(Set.new(map { |x| yield x }))
  end
  alias collect! map!

  def classify
    return to_enum(:classify) { size } unless block_given?
    out = {}
    each do |x|
      k = yield(x)
      (out[k] ||= self.class.allocate).add(x)
    end
    out
  end

  def divide(&block)
    return to_enum(:divide) { size } unless block
    return Set.new(classify(&block).values) unless block.arity == 2
    items = to_a
    group = Array.new(items.size) { |i| i }
    i = 0
    while i < items.size
      j = i + 1
      while j < items.size
        if block.call(items[i], items[j]) && block.call(items[j], items[i])
          from = group[j]
          to = group[i]
          group.map! { |g| g == from ? to : g }
        end
        j += 1
      end
      i += 1
    end
    sets = {}
    items.each_with_index { |x, k| (sets[group[k]] ||= self.class.allocate).add(x) }
    Set.new(sets.values)
  end

  def flatten
    out = self.class.allocate
    __flatten_into(out, {}.compare_by_identity)
    out
  end

  private def __flatten_into(out, open)
    each do |x|
      if Set === x
        raise ArgumentError, "tried to flatten recursive Set" if open[x]
        next if open.key?(x)
        open[x] = true
        x.__send__(:__flatten_into, out, open)
        open[x] = false
      else
        out.add(x)
      end
    end
  end

  def flatten!
    return nil unless any?(Set)
    __check_frozen
    replace(flatten)
  end

  def join(separator = nil)
    to_a.join(separator)
  end

  def first(n = (no_n = true; nil))
    if no_n
      i = __next_slot(0)
      return i && __key_at(i)
    end
    to_a.first(n)
  end

  def pretty_print(pp)
    pp.group(1, "#{self.class.name}[", "]") do
      pp.seplist(self) { |x| pp.pp x }
    end
  end

  def pretty_print_cycle(pp)
    pp.text "#{self.class.name}[#{"..." unless empty?}]"
  end

  # A subclass of this one is not given the methods of older Sets.
  class CoreSet < Set
  end

  class << self
    private def inherited(klass)
      super
      return unless equal?(Set)
      require "set/subclass_compatible"
      klass.include(SubclassCompatible)
      klass.extend(SubclassCompatible::ClassMethods)
    end
  end
end
