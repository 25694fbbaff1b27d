class Num
  attr_reader :n
  include Comparable
  def initialize(n) = @n = n
  def <=>(o) = o.is_a?(Num) ? n <=> o.n : nil
  def succ = Num.new(n + 1)
  def inspect = "N#{n}"
end
p (Num.new(1)..Num.new(3)).to_a, (Num.new(1)...Num.new(3)).to_a  # => [N1, N2, N3]
# => [N1, N2]
p (Num.new(1)..Num.new(3)).include?(Num.new(2)), (Num.new(1)..Num.new(3)) === 5  # => true
# => false
class Num
  def succ = nil
end
begin
  (Num.new(1)..Num.new(3)).to_a
rescue NoMethodError, ArgumentError, TypeError => e
  p e.is_a?(StandardError)
else
  p true  # => true
end
