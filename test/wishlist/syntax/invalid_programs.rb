["1 +", "(1", "[1", "def", "class a; end", "if 1", "{a:", "\"abc", "1 = 2", "@", "$", "a.b. = 1", "foo(*) ;", "def f(a, a) end", "break",
 "def f(A) end", "nil = 1", "->(x", "case 1", "begin; rescue", "x = y = ", "class A; def", "1..2..3", "%w[a", "a ? b :", "end", "}", ")",
 "alias x", "undef", "def f; class A; end; end", "def f; A = 1; end", "retry", "proc { |a, a| }", "_1 = 1; proc { _1 + x = }",
 "next", "redo", "yield", "BEGIN", "self = 1", "@a.b += ", "f(&b, &c)", "f(a: 1, *b)", "def f(&b, a) end", "def f(*a, *b) end"].each do |source|
  begin
    eval(source)
    puts "accepted: #{source}"
  rescue SyntaxError
  rescue Exception => e
    puts "#{e.class}: #{source}"
  end
end
p :done  # => :done
