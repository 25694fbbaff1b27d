def try = yield rescue p($!.class)
a = "é"
b = "\xe9".b
try { a + b }  # => Encoding::CompatibilityError
try { a == b; p :compared }  # => :compared
try { a << b }  # => Encoding::CompatibilityError
try { [a, b].join }  # => Encoding::CompatibilityError
try { a.include?(b) }  # => Encoding::CompatibilityError
try { a.tr(b, "x") }  # => Encoding::CompatibilityError
try { "\xff".encode("UTF-16LE") }  # => Encoding::InvalidByteSequenceError
try { "é".encode("US-ASCII") }  # => Encoding::UndefinedConversionError
try { "\xff".unpack("U") }  # => ArgumentError
try { "\xff".codepoints }  # => ArgumentError
try { "é".encode("nope") }  # => Encoding::ConverterNotFoundError
p "é".encode("US-ASCII", undef: :replace), "é".force_encoding("BINARY").length  # => "?"
# => 2
