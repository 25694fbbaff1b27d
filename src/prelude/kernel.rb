module Kernel
  def tap
    yield self
    self
  end

  def then
    return to_enum(:then) { 1 } unless block_given?
    yield self
  end

  def yield_self
    return to_enum(:yield_self) { 1 } unless block_given?
    yield self
  end

  def loop
    return to_enum(:loop) { Float::INFINITY } unless block_given?
    begin
      while true
        yield
      end
    rescue StopIteration => stop
      stop.result
    end
  end
  module_function :loop
end
