def try = yield rescue p($!.class)
try { "%99999999999d" % 1 }  # => ArgumentError
try { "%.99999999999f" % 1 }  # => ArgumentError
try { "%*d" % [2**70, 1] }  # => RangeError
