def try = yield rescue p($!.class)
try { "lit".freeze << "x" }  # => FrozenError
try { [1].freeze << 2 }  # => FrozenError
try { {a: 1}.freeze[:b] = 2 }  # => FrozenError
try { :sym.instance_variable_set(:@a, 1) }  # => FrozenError
try { 1.instance_variable_set(:@a, 1) }  # => FrozenError
try { nil.instance_variable_set(:@a, 1) }  # => FrozenError
try { Object.new.freeze.instance_variable_set(:@a, 1) }  # => FrozenError
try { x = 1; def x.foo = 1 }  # => TypeError
try { x = :a; class << x; end }  # => TypeError
try { Struct.new(:a).new(1).freeze.a = 2 }  # => FrozenError
try { Class.new.freeze.define_method(:a) { } }  # => FrozenError
try { Module.new.freeze.const_set(:A, 1) }  # => FrozenError
try { (1..2).instance_variable_set(:@a, 1) }  # => FrozenError
try { Object.new.freeze.define_singleton_method(:a) { } }  # => FrozenError
try { Object.new.freeze.extend(Comparable) }  # => FrozenError
