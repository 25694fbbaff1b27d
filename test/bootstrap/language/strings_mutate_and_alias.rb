a = "abc".dup
b = a
b << "d"
p [a, a.equal?(b)]  # => ["abcd", true]
c = a.dup
c << "e"
p [a, c]  # => ["abcd", "abcde"]
def m(s) = s << "!"
m(a)
p a  # => "abcd!"
p ["x".object_id == "x".object_id, :x.object_id == :x.object_id]  # => [false, true]
