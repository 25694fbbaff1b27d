p ["abc" <=> "abd", "a" == :a, "abc".eql?("abc"), "abc".equal?("abc"), "a".casecmp("A"), "a".casecmp?("A"), "abc".between?("abb", "abd"), "abc".insert(1, "x"), "abc".prepend("z"), "abc".replace("y"), "a".ljust(3, "12"), "%d" % 5, "a".upto("e").to_a]
# => [-1, false, true, false, 0, true, true, "axbc", "zabc", "y", "a12", "5", ["a", "b", "c", "d", "e"]]
p ["line1\nline2".lines, "a\n\nb".each_line(chomp: true).to_a, "abc".each_char.with_index.to_a, "ab".each_byte.to_a, "hello world".scan(/o/), "hello"[1] = "a", "title case".split.map(&:capitalize).join(" "), "snake_case_word".gsub(/_(\w)/) { $1.upcase }]
# => [["line1\n", "line2"], ["a", "", "b"], [["a", 0], ["b", 1], ["c", 2]], [97, 98], ["o", "o"], "a", "Title Case", "snakeCaseWord"]
p ["abc".unpack("C*"), "abc".encoding, "abc".force_encoding("ASCII-8BIT").encoding, "abc".valid_encoding?, "abc".ascii_only?, "é".ascii_only?, "abc".b.encoding, "é".encode("ISO-8859-1").bytes, "a".unicode_normalize] rescue p $!.class
# => [[97, 98, 99], #<Encoding:UTF-8>, #<Encoding:BINARY (ASCII-8BIT)>, true, true, false, #<Encoding:BINARY (ASCII-8BIT)>, [233], "a"]
p ["abc".slice(0, 2), "hello".squeeze("l"), "hello".tr("a-y", "b-z"), "hello".tr("^l", "*"), "hello".delete("^l"), "a".ord, 97.chr, "abc".start_with?(/a/), "AbC".swapcase, "a\u0300".length, "ß".upcase, "İ".downcase.length, "ÀÉ".downcase]
# => ["ab", "helo", "ifmmp", "**ll*", "ll", 97, "a", true, "aBc", 2, "SS", 2, "àé"]
s = +"abc"
s << "d" << 101
s[0] = "X"
s[-1..] = "YZ"
p [s, s.slice!(0), s, s.clear, s.empty?]  # => ["", "X", "", "", true]
