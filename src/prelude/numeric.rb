class Numeric
  def step(limit = (no_limit = true; nil), step = (no_step = true; nil), by: (no_by = true; nil), to: (no_to = true; nil))
    unless no_to
      raise ArgumentError, "to is given twice" unless no_limit
      limit = to
    end
    if no_by
      raise TypeError, "step must be numeric" if block_given? && !no_step && step.nil?
    else
      raise ArgumentError, "step is given twice" unless no_step
      step = by
    end
    step = 1 if step.nil?
    raise ArgumentError, "step can't be 0" if step == 0
    unless block_given?
      args = no_limit || !no_to ? [] : no_step ? [limit] : [limit, step]
      args << (no_by ? { to: limit } : no_to ? { by: step } : { by: step, to: limit }) unless no_by && no_to
      if (limit.nil? || Numeric === limit) && Numeric === step
        return __arith_seq([self, :step, *args], self, limit, step, false)
      end
      return to_enum(:step, *args) do
        down = __step_down?(step)
        __step_size(limit.nil? ? (down ? -Float::INFINITY : Float::INFINITY) : limit, step, false)
      end
    end

    down = __step_down?(step)
    i = self
    if __fixnum?(i) && __fixnum?(step) && __fixnum?(limit)
      if down
        while i >= limit
          yield i
          i += step
        end
      else
        while i <= limit
          yield i
          i += step
        end
      end
    elsif Float === i || Float === step || Float === limit
      first, unit, last, n = __float_steps(limit, step)
      if unit.infinite?
        yield first if n > 0
      else
        k = 0
        while k < n
          f = k * unit + first
          f = last if unit >= 0 ? last < f : f < last
          yield f
          k += 1
        end
      end
    elsif limit.nil?
      while true
        yield i
        i += step
      end
    elsif down
      until i < limit
        yield i
        i += step
      end
    else
      until i > limit
        yield i
        i += step
      end
    end
    self
  end
end
