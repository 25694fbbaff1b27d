def try = yield rescue p($!.class, $!.message)
a = Array.new(100_000, 0)
try { a.product(a, a, a, a) }  # => RangeError
# => "too big to product"
