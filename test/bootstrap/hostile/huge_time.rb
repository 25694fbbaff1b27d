def try = yield rescue p($!.class)
p Time.at(2**40).utc.year  # => 36812
try { Time.at(Float::NAN) }  # => FloatDomainError
try { Time.at(Float::INFINITY) }  # => FloatDomainError
try { Time.at(nil) }  # => TypeError
try { Time.new(2000, 13) }  # => ArgumentError
try { Time.new(2000, 1, 1, 25) }  # => ArgumentError
