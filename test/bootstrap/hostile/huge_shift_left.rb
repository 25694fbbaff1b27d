def try = yield rescue p($!.class)
try { 1 << 2**64 }  # => RangeError
p 0 << 2**64, 1 >> 2**64, -1 >> 2**64, 1 << -(2**64)  # => 0
# => 0
# => -1
# => 0
