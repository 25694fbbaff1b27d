def try = yield rescue p($!.class, $!.message)
try { 1.."a" }  # => ArgumentError
# => "bad value for range"
try { Object.new..Object.new }  # => ArgumentError
# => "bad value for range"
try { (1.5..2).each { } }  # => TypeError
# => "can't iterate from Float"
try { (nil..nil).each { } }  # => TypeError
# => "can't iterate from NilClass"
try { (1..2).step(0) { } }  # => ArgumentError
# => "step can't be 0"
try { (1..).size; ("a"..).size }  # => TypeError
# => "can't iterate from String"
# survives
