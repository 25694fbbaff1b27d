class Integer
  alias old_plus +
  def +(o) = old_plus(o).old_plus(1)
end
def add(a, b) = a + b
p add(1, 1)  # => 3
p 1.+(1)  # => 3
x = 1
x += 1
p x  # => 3
