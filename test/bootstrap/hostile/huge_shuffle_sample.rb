def try = yield rescue p($!.class)
try { [1].sample(-1) }  # => ArgumentError
try { [1].sample(2**64) }  # => RangeError
p [1].sample(2**40), [].sample, [].shuffle, [].sample(3)  # => [1]
# => nil
# => []
# => []
