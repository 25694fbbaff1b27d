def try = yield rescue p($!.class, $!.message)
try { Array.new(2**62) }  # => ArgumentError
# => "array size too big"
try { Array.new(-1) }  # => ArgumentError
# => "negative array size"
try { Array.new(2**64) }  # => RangeError
# => "bignum too big to convert into 'long'"
