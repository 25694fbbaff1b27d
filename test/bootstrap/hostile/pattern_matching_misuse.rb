def try = yield rescue p($!.class, $!.message)
try { case 1; in 2; end }  # => NoMatchingPatternError
# => "1: 2 === 1 does not return true"
try { {a: 1} => {b:} }  # => NoMatchingPatternKeyError
# => "{a: 1}: key not found: :b"
c = Class.new { def deconstruct = 5; def deconstruct_keys(k) = nil }
try { case c.new; in [a]; end }  # => TypeError
# => "deconstruct must return Array"
try { case c.new; in {a:}; end }  # => TypeError
# => "deconstruct_keys must return Hash"
try { case 1; in x if raise("guard"); end }  # => RuntimeError
# => "guard"
