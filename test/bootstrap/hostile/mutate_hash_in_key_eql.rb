h = {}
k = Class.new do
  define_method(:hash) { 1 }
  define_method(:eql?) { |o| h.clear; false }
end
begin
  20.times { |i| h[k.new] = i }
rescue RuntimeError
end
p h.size <= 20  # => true
