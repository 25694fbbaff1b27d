p [[1, 2].pack("C*"), [65].pack("U"), ["abc"].pack("m0"), "YWJj".unpack1("m"), [1].pack("N"), [1, 2].pack("s<l>"), "\x01\x02".unpack("C*"), ["616263"].pack("H*"), [1.5].pack("E").unpack1("E")]
# => ["\x01\x02", "A", "YWJj", "abc", "\x00\x00\x00\x01", "\x01\x00\x00\x00\x00\x02", [1, 2], "abc", 1.5]
