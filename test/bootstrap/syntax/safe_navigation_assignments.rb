S = Struct.new(:a, :h)
s = S.new(1, {})
s&.a += 1
s&.h[:x] = 5
s&.a ||= 9
n = nil
n&.a += 1
n&.a = 1
p s, n
# => #<struct S a=2, h={x: 5}>
# => nil
