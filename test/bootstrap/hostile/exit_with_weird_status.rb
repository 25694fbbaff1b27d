def try = yield rescue p($!.class)
try { exit "x" }  # => TypeError
try { exit nil }  # => TypeError
exit 256 + 7
# exits 7
