# What a direct subclass of Set gets: methods go through `add`, `include?`, `delete`, `each` and `new`, so that a
# subclass changes all of them by overriding these few.
class Set
  module SubclassCompatible
    module ClassMethods
      def [](*elements)
        new(elements)
      end
    end

    def initialize(elements = nil, &block)
      return if elements.nil?
      if block
        do_with_enum(elements) { |x| add(block.call(x)) }
      else
        merge(elements)
      end
    end

    private def do_with_enum(list, &block)
      name = %i[each_entry each].find { |m| list.respond_to?(m) }
      raise ArgumentError, "value must be enumerable" unless name
      list.__send__(name, &block) if block
    end

    def replace(other)
      return super if other.instance_of?(self.class)
      do_with_enum(other)
      clear
      merge(other)
    end

    def to_set(&block)
      block || !instance_of?(Set) ? Set.new(self, &block) : self
    end

    protected def flatten_merge(other, open = {}.compare_by_identity)
      other.each do |x|
        if Set === x
          raise ArgumentError, "tried to flatten recursive Set" if open[x]
          next if open.key?(x)
          open[x] = true
          flatten_merge(x, open)
          open[x] = false
        else
          add(x)
        end
      end
      self
    end

    def flatten
      self.class.new.flatten_merge(self)
    end

    def flatten!
      replace(flatten) if any?(Set)
    end

    private def other_set(other)
      raise ArgumentError, "value must be a set" unless Set === other
      other
    end

    def superset?(other)
      return super if other.instance_of?(self.class)
      size >= other_set(other).size && other.all?(self)
    end
    alias >= superset?

    def proper_superset?(other)
      return super if other.instance_of?(self.class)
      size > other_set(other).size && other.all?(self)
    end
    alias > proper_superset?

    def subset?(other)
      return super if other.instance_of?(self.class)
      size <= other_set(other).size && all?(other)
    end
    alias <= subset?

    def proper_subset?(other)
      return super if other.instance_of?(self.class)
      size < other_set(other).size && all?(other)
    end
    alias < proper_subset?

    def <=>(other)
      return nil unless Set === other
      if size == other.size
        self == other ? 0 : nil
      elsif size < other.size
        proper_subset?(other) ? -1 : nil
      else
        proper_superset?(other) ? 1 : nil
      end
    end

    def intersect?(other)
      if Set === other
        size < other.size ? any?(other) : other.any?(self)
      elsif Enumerable === other
        other.any?(self)
      else
        raise ArgumentError, "value must be enumerable"
      end
    end

    def disjoint?(other)
      !intersect?(other)
    end

    def add?(x)
      include?(x) ? nil : add(x)
    end

    def delete?(x)
      include?(x) ? delete(x) : nil
    end

    def delete_if(&block)
      return enum_for(:delete_if) { size } unless block
      select(&block).each { |x| delete(x) }
      self
    end

    def keep_if(&block)
      return enum_for(:keep_if) { size } unless block
      reject(&block).each { |x| delete(x) }
      self
    end

    def collect!
      return enum_for(:collect!) { size } unless block_given?
      fresh = self.class.new
      each { |x| fresh << yield(x) }
      replace(fresh)
    end
    alias map! collect!

    def reject!(&block)
      return enum_for(:reject!) { size } unless block
      before = size
      delete_if(&block)
      size == before ? nil : self
    end

    def select!(&block)
      return enum_for(:select!) { size } unless block
      before = size
      keep_if(&block)
      size == before ? nil : self
    end
    alias filter! select!

    def merge(*lists, **nil)
      lists.each do |list|
        if list.instance_of?(self.class)
          super(list)
        else
          do_with_enum(list) { |x| add(x) }
        end
      end
      self
    end

    def subtract(list)
      do_with_enum(list) { |x| delete(x) }
      self
    end

    def |(other)
      dup.merge(other)
    end
    alias + |
    alias union |

    def -(other)
      dup.subtract(other)
    end
    alias difference -

    def &(other)
      common = self.class.new
      if Set === other && other.size > size
        each { |x| common.add(x) if other.include?(x) }
      else
        do_with_enum(other) { |x| common.add(x) if include?(x) }
      end
      common
    end
    alias intersection &

    def ^(other)
      result = self.class.new(other)
      each { |x| result.add(x) unless result.delete?(x) }
      result
    end

    def ==(other)
      return true if equal?(other)
      return super if other.instance_of?(self.class)
      Set === other && size == other.size && other.all? { |x| include?(x) }
    end

    def eql?(other)
      Set === other && super
    end

    def classify
      return enum_for(:classify) { size } unless block_given?
      groups = {}
      each { |x| (groups[yield(x)] ||= self.class.new).add(x) }
      groups
    end

    def join(separator = nil)
      to_a.join(separator)
    end

    def inspect
      text = __recursion_guard(:inspect) { to_a.inspect[1..-2] }
      "#<#{self.class}: {#{text || "..."}}>"
    end
    alias to_s inspect

    def pretty_print(pp)
      pp.group(1, "#<#{self.class.name}:", ">") do
        pp.breakable
        pp.group(1, "{", "}") { pp.seplist(self) { |x| pp.pp x } }
      end
    end

    def pretty_print_cycle(pp)
      pp.text "#<#{self.class.name}: {#{"..." unless empty?}}>"
    end
  end
  private_constant :SubclassCompatible
end
