class Integer
  def times
    return to_enum(:times) { self < 0 ? 0 : self } unless block_given?
    i = 0
    while i < self
      yield i
      i += 1
    end
    self
  end

  def upto(limit)
    return to_enum(:upto, limit) { __step_size(limit, 1, false) } unless block_given?
    i = self
    if __fixnum?(i) && __fixnum?(limit)
      while i <= limit
        yield i
        i += 1
      end
    else
      until i > limit
        yield i
        i += 1
      end
    end
    self
  end

  def downto(limit)
    return to_enum(:downto, limit) { __step_size(limit, -1, false) } unless block_given?
    i = self
    if __fixnum?(i) && __fixnum?(limit)
      while i >= limit
        yield i
        i -= 1
      end
    else
      until i < limit
        yield i
        i -= 1
      end
    end
    self
  end
end
