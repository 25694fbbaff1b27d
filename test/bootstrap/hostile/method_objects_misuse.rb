m = 1.method(:+)
p m.call(2), m.unbind.bind(3).call(4), m.owner, m.arity  # => 3
# => 7
# => Integer
# => 1
def try = yield rescue p($!.class)
try { m.call }  # => ArgumentError
try { m.unbind.call }  # => NoMethodError
try { m >> 5 }  # => TypeError
try { m.curry(5) }  # => ArgumentError
try { Method.new }  # => NoMethodError
p (m >> m).class, m == 1.method(:+), m.hash == 1.method(:+).hash  # => Proc
# => true
# => true
