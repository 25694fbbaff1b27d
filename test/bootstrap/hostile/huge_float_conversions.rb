def try = yield rescue p($!.class, $!.message)
try { Float::NAN.to_i }  # => FloatDomainError
# => "NaN"
try { Float::INFINITY.floor }  # => FloatDomainError
# => "Infinity"
p 1e300.to_i.to_s.size, (10**400).to_f, 1e308 * 10  # => 301
# => Infinity
# => Infinity
p (10**400).fdiv(10**399), 0.0 / 0 <=> 1  # => 10.0
# => nil
p [0.0 / 0].include?(0.0 / 0), [1.0, 0.0 / 0, 0.5].size  # => false
# => 3
