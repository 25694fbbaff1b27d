def try = yield rescue p($!.class, $!.message)
a = [1]
try { a[2**62] = 1 }  # => IndexError
# => "index 4611686018427387904 too big"
try { a[2**64] = 1 }  # => RangeError
# => "bignum too big to convert into 'long'"
try { a[-2] = 1 }  # => IndexError
# => "index -2 too small for array; minimum: -1"
p a[2**62], a[2**40, 5]  # => nil
# => nil
