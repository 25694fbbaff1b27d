["1 +", "def", "class a; end", "(", "[1", "{", "\"", "'", "%w(", "<<A\n", "/(", "end", "if", "1..2..3", "a b c d",
 "def f(a, a) end", "def f(A) end", "@1 = 2", "$ = 1", "1 = 2", "nil = 1", "self = 1", "break", "next", "redo", "retry",
 "yield", "return = 1", "->(", "a ? b", "case", "case 1 in", "begin; rescue", "%", "?", "\\", "&", "*", "**", "&.", "::",
 "..", "...", "=>", "_1 = 1", "proc { _1; |a| }", "alias", "undef", "BEGIN", "foo(&b, 1)", "foo(**a, *b)", "def x=; end =",
 "\xff", "\u{10ffff}", "\"\\u{zz}\"", "\"\\xz\"", "0x", "0b2", "08", "1__0", "1_", "1e", "@@", "@", "`", ":\"", "\x00", "\x04", "=begin",
 "__END__", "\#{", "\"\#{", "\"\#{1", "def f; class A; end; end", "A = 1 while def f; B = 1; end", "while", "for", "for a", "for a in"].each do |source|
  eval(source)
rescue SyntaxError, NameError, LocalJumpError, ArgumentError, TypeError, NoMethodError, EncodingError
end
p :alive  # => :alive
