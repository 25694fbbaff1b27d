class Box
  attr_accessor :v
  def [](i) = (@h ||= {})[i]
  def []=(i, x)
    (@h ||= {})[i] = x
  end
end
b = Box.new
b.v ||= 1
b.v += 2
b.v &&= b.v * 10
b[:k] ||= 5
b[:k] -= 1
p b.v, b[:k]
# => 30
# => 4
$g ||= 3
$g **= 2
p $g  # => 9
@i ||= []
@i << 1
p @i  # => [1]
a = [1, 2]
a[0] += 5
a[-1] <<= 3
p a  # => [6, 16]
h = Hash.new(0)
h[:x] += 1
p h  # => {x: 1}
C ||= 7
p C  # => 7
class Box; @@cv ||= 4; def cv = @@cv; end
p b.cv  # => 4
s = nil
p s&.length  # => nil
b&.v += 1
p b.v  # => 31
n = nil
n&.v += 1
p n  # => nil
