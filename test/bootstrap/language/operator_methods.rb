class V
  attr_reader :v
  def initialize(v) = @v = v
  def +(o) = V.new(v + o.v)
  def -@ = V.new(-v)
  def +@ = self
  def ! = :bang
  def ~ = :tilde
  def [](i, j = 0) = v + i + j
  def []=(i, j, x)
    @v = i + j + x
  end
  def call(x) = x * v
  def =~(o) = :match
  def ==(o) = true
  def !=(o) = :ne
  def <<(x) = (@v += x; self)
  def %(x) = v % x
  def coerce(o) = [V.new(o), self]
  def to_str = "V"
  def ===(o) = o == 3
  def **(x) = v**x
  def `(s) = s
  def bt = `hello`
end
a = V.new(5)
p [(a + V.new(1)).v, (-a).v, (+a).v, !a, ~a, a[1], a[1, 2], a.(3), a =~ 1]  # => [6, -5, 5, :bang, :tilde, 6, 8, 15, :match]
p [a == 2, a != 2, (a << 1 << 2).v, a % 3, (1 + a).v, "x" + a, a ** 2, a.bt]  # => [true, :ne, 8, 2, 9, "xV", 64, "hello"]
a[1, 2] = 3
p a.v  # => 6
p [(case 3 when a then :yes end), (not a)]  # => [:yes, :bang]
