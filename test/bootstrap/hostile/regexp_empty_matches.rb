p "abc".scan(//).size, "abc".gsub(//, "-"), "abc".split(//), "é".gsub(/\b/, "|")  # => 4
# => "-a-b-c-"
# => ["a", "b", "c"]
# => "|é|"
p "".gsub(/$/, "x"), "a\n".scan(/$/).size, "aaa".gsub(/a*/, "b")  # => "x"
# => 2
# => "bb"
