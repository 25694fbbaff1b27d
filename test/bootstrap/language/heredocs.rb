x = 5
p <<A + <<-B + <<~C  # => "one 5\n  two\nthree\n  four\n"
one #{x}
A
  two
  B
    three
      four
    C
p <<~'RAW'  # => "no \#{interp} \\n\n"
  no #{interp} \n
RAW
p <<~TEXT.lines.map(&:chomp)  # => ["a", "", "  b"]
  a

    b
TEXT
def m(a, b, c) = [a, b, c]
p m(<<FIRST, 2, <<SECOND)  # => ["a\n", 2, "b\n"]
a
FIRST
b
SECOND
y = [<<~ONE, <<~TWO].map(&:strip)
  1
ONE
  2
TWO
p y  # => ["1", "2"]
p <<~"Q".upcase  # => "Q 2\n"
  q #{1 + 1}
Q
