def try = yield rescue p($!.class)
try { {}.fetch(:a) }  # => KeyError
try { {a: 1}.dig(:a, :b) }  # => TypeError
try { Hash.new(1) { } }  # => ArgumentError
try { Hash.new(1, 2) }  # => ArgumentError
try { Hash[1] }  # => ArgumentError
try { Hash[[[1, 2, 3]]] }  # => ArgumentError
try { {}.merge(1) }  # => TypeError
try { {}.default_proc = 1 }  # => TypeError
try { {}.default_proc = ->(a) { } }  # => TypeError
try { {a: 1}.to_h { 1 } }  # => TypeError
try { {a: 1}.transform_keys!(1) }  # => TypeError
try { {}.update(nil) }  # => TypeError
try { {a: 1}.sum }  # => TypeError
try { {}.store(1) }  # => ArgumentError
try { Hash([1]) }  # => TypeError
try { {}.fetch_values(:x) }  # => KeyError
p Hash(nil), Hash([]), {a: 1}.min_by { nil }, {nil => 1}[nil]  # => {}
# => {}
# => [:a, 1]
# => 1
