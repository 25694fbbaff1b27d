class Pt
  attr_reader :x, :y
  def initialize(x, y) = (@x, @y = x, y)
  def deconstruct = [x, y]
  def deconstruct_keys(keys) = {x: x, y: y, keys: keys}
end
case Pt.new(1, 2)
in [a, b] then p [a, b]  # => [1, 2]
end
case Pt.new(1, 2)
in Pt(x:, keys:) then p [x, keys]  # => [1, [:x, :keys]]
end
case Pt.new(1, 2)
in Pt[1, z] then p z  # => 2
end
S = Struct.new(:l, :r)
case S.new(1, [2, 3])
in S[l, [*, r]] then p [l, r]  # => [1, 3]
end
