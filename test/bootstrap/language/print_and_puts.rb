puts [1, [2, [nil, 3]]], nil, "a\n", ""
# => 1
# => 2
# =>
# => 3
# =>
# => a
# =>
print "x", 1, nil, :y, "\n"  # => x1y
p
p 1, 2
# => 1
# => 2
puts  # =>
pp({a: 1})  # => {a: 1}
$stdout << "z" << 1 << "\n"  # => z1
$stdout.write("w", 2, "\n")  # => w2
putc "q"
putc 10  # => q
printf("%d-%s\n", 1, "a")  # => 1-a
