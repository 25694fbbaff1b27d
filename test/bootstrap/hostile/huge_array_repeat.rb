def try = yield rescue p($!.class, $!.message)
try { [1, 2] * 2**62 }  # => ArgumentError
# => "argument too big"
try { [1] * -1 }  # => ArgumentError
# => "negative argument"
p [] * 2**62  # => []
