def try = yield rescue p($!.class, $!.message)
try { (1..).to_a }  # => RangeError
# => "cannot convert endless range to an array"
try { (1..2**70).to_a(1) }  # => ArgumentError
# => "wrong number of arguments (given 1, expected 0)"
