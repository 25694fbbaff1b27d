class Integer
  alias plain_plus +
  def +(other) = 42
end
x = 1 + 1
p x  # => 42
class Integer
  alias + plain_plus
end
