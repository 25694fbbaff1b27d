def try = yield rescue p($!.class, $!.message)
try { 2**(2**64) }  # => ArgumentError
# => "exponent is too large"
try { 10**(10**10) }  # => ArgumentError
# => "exponent is too large"
p 1**(2**64), (-1)**(2**64), 0**(2**64)  # => 1
# => 1
# => 0
