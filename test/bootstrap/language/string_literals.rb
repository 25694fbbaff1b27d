x = 5
p ["a#{x}b", 'a#{x}b', "t\tn\n\u00e9\x41\101\e\s", 'it''s', "a" "b" 'c']  # => ["a5b", "a\#{x}b", "t\tn\néAA\e ", "its", "abc"]
p [%q(a(b)c), %Q[#{x}], %w[a b#{x}], %W[a b#{x}], %i[a b], %(x), :"a b", :"a#{x}", %s(sym)]
# => ["a(b)c", "5", ["a", "b\#{x}"], ["a", "b5"], [:a, :b], "x", :"a b", :a5, :sym]
@y = 1
p ["#@y#$z", "\#{x}", "#{"nested #{x}"}", ?a, "\u{1F600 41}", "\C-a\M-a".bytes]  # => ["1", "\#{x}", "nested 5", "a", "😀A", [1, 225]]
