class Struct
  def each
    return to_enum(:each) { size } unless block_given?
    i = 0
    n = size
    while i < n
      yield self[i]
      i += 1
    end
    self
  end

  def each_pair
    return to_enum(:each_pair) { size } unless block_given?
    members.each_with_index { |m, i| yield [m, self[i]] }
    self
  end

  def select
    return to_enum(__called) { size } unless block_given?
    to_a.select { |x| yield x }
  end
  alias filter select

end
