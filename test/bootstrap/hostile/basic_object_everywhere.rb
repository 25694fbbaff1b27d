class Bare < BasicObject
end
b = Bare.new
def try = yield rescue p($!.class)
try { b.inspect }  # => NoMethodError
try { p b }
try { "#{b}" }
try { [b].flatten.size }
try { [b].include?(1) ; [1].include?(b) }
try { raise b }  # => TypeError
try { puts b }
try { [b].inspect }
try { case b when 1 then 2 end }
try { b.foo }
try { method(:p).call(b) }
try { Hash[b, 1] }
try { 1 + b }
try { b == b && !b }
# survives
