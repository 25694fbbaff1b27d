def try = yield rescue puts($!.message)
try { "a".freeze << "b" }  # => can't modify frozen String: "a"
try { [1].freeze.clear }  # => can't modify frozen Array: [1]
try { {a: 1}.freeze.delete(:a) }  # => can't modify frozen Hash: {a: 1}
try { :a.instance_variable_set(:@x, 1) }  # => can't modify frozen Symbol: :a
begin
  [1].freeze.push(1)
rescue FrozenError => e
  p e.receiver  # => [1]
end
