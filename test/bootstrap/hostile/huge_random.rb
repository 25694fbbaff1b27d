def try = yield rescue p($!.class)
try { rand(1..) }  # => Errno::EDOM
try { Random.rand(0) }  # => ArgumentError
try { Random.rand(-1) }  # => ArgumentError
try { Random.new(1).rand(nil) }  # => ArgumentError
p rand(10**40) < 10**40, rand(0).class, rand(nil).class  # => true
# => Float
# => Float
