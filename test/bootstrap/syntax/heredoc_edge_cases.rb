p(<<~A, <<~'B', <<-"C")
  x
    y
A
  #{no}\t
B
  c #{1}
  C
# => "x\n  y\n"
# => "\#{no}\\t\n"
# => "  c 1\n"
p [<<~SUM.lines.size, 5].sum
  1
  2
SUM
# => 7
p <<~EMPTY
EMPTY
# => ""
def m = <<~E
  in method
E
p m  # => "in method\n"
p <<~Z
  a\
  b
    #{1}
   c
Z
# => "ab\n  1\n c\n"
