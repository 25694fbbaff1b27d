class A
  attr_reader :r
  attr_writer :w
  attr_accessor :a, :b
  p attr_accessor(:z)  # => [:z, :z=]
  def initialize = (@r, @w = 1, 2)
end
x = A.new
x.w = 5
x.a = x.b = 6
p [x.r, x.a, x.b, x.instance_variable_get(:@w)]  # => [1, 6, 6, 5]
begin
  x.r = 1
rescue NoMethodError => e
  p e.message.sub(/0x\h+/, "")  # => "undefined method 'r=' for an instance of A"
end
