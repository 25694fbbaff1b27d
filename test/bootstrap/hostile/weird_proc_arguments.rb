p proc { |a, b = 2, *c, d, e:, f: 6, **g, &h| [a, b, c, d, e, f, g, h] }.call(1, 9, e: 5)  # => [1, 2, [], 9, 5, 6, {}, nil]
p proc { |a, (b, *c), d| [a, b, c, d] }.call(1, [2, 3, 4], 5)  # => [1, 2, [3, 4], 5]
p proc { |a, b| [a, b] }.call([1, 2, 3]), proc { |a| a }.call(1, 2), proc { |a,| a }.call([7, 8])  # => [1, 2]
# => 1
# => 7
begin
  ->(a, b) { }.call(1)
rescue ArgumentError => e
  p e.message  # => "wrong number of arguments (given 1, expected 2)"
end
begin
  ->(a:) { }.call
rescue ArgumentError => e
  p e.message  # => "missing keyword: :a"
end
begin
  ->(a: 1) { }.call(b: 2, c: 3)
rescue ArgumentError => e
  p e.message  # => "unknown keywords: :b, :c"
end
begin
  Proc.new
rescue ArgumentError => e
  p e.message  # => "tried to create Proc object without a block"
end
