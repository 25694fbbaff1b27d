class V
  include Comparable
  attr_reader :n
  def initialize(n) = @n = n
  def <=>(o) = n <=> o.n
  def inspect = "V#{n}"
  def succ = V.new(n + 1)
end
class L
  include Enumerable
  def initialize(*a) = @a = a
  def each(&b) = (@a.each(&b); self)
end
l = L.new(V.new(3), V.new(1), V.new(2))
p [l.sort, l.min, l.max, l.minmax, l.include?(V.new(1)), l.first, l.first(2)]  # => [[V1, V2, V3], V1, V3, [V1, V3], true, V3, [V3, V1]]
p [l.sort_by(&:n), l.map(&:n).sum, l.to_a.size, l.each_slice(2).to_a]  # => [[V1, V2, V3], 6, 3, [[V3, V1], [V2]]]
p [l.reduce { |a, b| a > b ? a : b }, l.partition { |x| x.n > 1 }, l.each_with_index.to_a]  # => [V3, [[V3, V2], [V1]], [[V3, 0], [V1, 1], [V2, 2]]]
p [V.new(1) < V.new(2), V.new(1).clamp(V.new(2), V.new(3)), V.new(2).between?(V.new(1), V.new(3))]  # => [true, V2, true]
p (V.new(1)..V.new(3)).to_a  # => [V1, V2, V3]
