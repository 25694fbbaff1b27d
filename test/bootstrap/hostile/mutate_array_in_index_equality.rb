class Clearing
  def initialize(a) = @a = a
  def ==(other) = @a.clear && false
end
a = []
5.times { a << Clearing.new(a) }
p a.index(7), a.include?(7)  # => nil
# => false
