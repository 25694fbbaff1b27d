nan = Float::NAN
h = {nan => 1, 0.0 => :zero, -0.0 => :minus, 1 => :int, 1.0 => :float, 2**70 => :big}
p h[nan], h[0.0], h[-0.0], h[1], h[1.0], h[2**70], h[2.0**70]  # => 1
# => :minus
# => :minus
# => :int
# => :float
# => :big
# => nil
class BadHash
  def hash = "not a number"
end
begin
  {BadHash.new => 1}
rescue TypeError, NoMethodError => e
  p e.is_a?(StandardError)  # => true
end
class BigHash
  def hash = 2**100
  def eql?(o) = true
end
h = {BigHash.new => 1}
p h[BigHash.new]  # => 1
class NoHash < BasicObject
end
begin
  {NoHash.new => 1}
rescue NoMethodError => e
  p e.message  # => "undefined method 'hash' for an instance of NoHash"
end
