class Clearing
  def initialize(a) = @a = a
  def ==(other) = (@a.clear; true)
end
a = []
5.times { a << Clearing.new(a) }
a.delete(7)
p a.size <= 5  # => true
