class A; attr_accessor :x; def []=(i, v); :no; end; end
a = A.new
p (a.x = 1), (a[0] = 2), (b = c = 3), (d, e = 4, 5), (f = *6)
# => 1
# => 2
# => 3
# => [4, 5]
# => [6]
