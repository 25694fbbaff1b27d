def try = yield rescue p($!.class)
try { [1].pack("X") }  # => ArgumentError
try { [].pack("C") }  # => ArgumentError
try { ["a"].pack("C") }  # => TypeError
try { [nil].pack("N") }  # => TypeError
try { [2**70].pack("C") }  # => RangeError
try { [-1].pack("U") }  # => RangeError
try { "abc".unpack("@9C") }  # => ArgumentError
try { [-1].pack("w") }  # => ArgumentError
try { [1].pack("C99999999999999999999") }  # => RangeError
p ["a"].pack("A3") + "|", [1, 2].pack("C*"), "".unpack("C"), "ab".unpack("C0U*")
# survives
