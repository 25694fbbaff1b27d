p "abc".gsub(/[abc]/, {"a" => 1, "b" => nil}), "abc".gsub(/b/, '\0\0\9\k<x>') rescue p $!.class
p "abc".gsub(/(?<x>b)/, '[\k<x>]'), "a.b".gsub(".", "\\\\"), "abc".sub("b") { $~[0] * 2 }  # => "1"
# survives
