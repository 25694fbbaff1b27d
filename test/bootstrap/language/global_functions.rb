p [Integer("0x1f", 16), Integer("12"), Float("1.5"), String(5), Array(nil), Array(1..3), Rational(1, 2), Hash([[1, 2]])]
p [rand(1), Array({a: 1}), Integer("z", exception: false), format("%d", 1)]
p [__method__, caller.class, block_given?, [1, 2].frozen?]
srand(5)
a = rand(100)
srand(5)
p a == rand(100)
# raises TypeError: can't convert Array into Hash
