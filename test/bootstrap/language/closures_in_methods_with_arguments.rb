def adder(n) = ->(x) { n += x }
a = adder(1)
p a[1], a[1], adder(10)[5]
# => 2
# => 3
# => 15
def defaults(a, b = -> { a }) = (a = 7; b.call)
p defaults(1)  # => 7
