def try = yield rescue p($!.class, $!.message)
try { [].fill(1, 0, 2**62) }  # => ArgumentError
# => "argument too big"
try { [].fill(1, 2**62, 1) }
# survives
