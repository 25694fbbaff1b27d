def try = yield rescue p($!.class, $!.message)
try { "aa" * 2**62 }  # => ArgumentError
# => "argument too big"
try { "a" * -1 }  # => ArgumentError
# => "negative argument"
try { "a" * 2**64 }  # => RangeError
# => "bignum too big to convert into 'long'"
p "" * 2**62  # => ""
