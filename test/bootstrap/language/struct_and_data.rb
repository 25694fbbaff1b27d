P3 = Struct.new(:x, :y) do
  def dist = Math.sqrt(x * x + y * y)
end
a = P3.new(3, 4)
p a  # => #<struct P3 x=3, y=4>
p [a.dist, a == P3.new(3, 4), a.to_a, a.to_h, P3.members]  # => [5.0, true, [3, 4], {x: 3, y: 4}, [:x, :y]]
x, y = *a
p x + y  # => 7
D = Data.define(:w, :h) do
  def area = w * h
end
d = D.new(w: 2, h: 3)
p d  # => #<data D w=2, h=3>
p [d.area, d.with(h: 5), d.eql?(D.new(2, 3)), d.frozen?]  # => [6, #<data D w=2, h=5>, true, true]
begin
  D.new(1)
rescue ArgumentError => e
  p e.message  # => "missing keyword: :h"
end
begin
  d.instance_variable_set(:@w, 1)
rescue => e
  p e.class  # => FrozenError
end
case d
in {w:, h:} then p [w, h]  # => [2, 3]
end
