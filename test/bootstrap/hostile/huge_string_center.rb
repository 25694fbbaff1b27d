def try = yield rescue p($!.class)
try { "a".ljust(2**64) }  # => RangeError
p "a".rjust(-5)  # => "a"
