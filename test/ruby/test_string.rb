require "test/unit"

class TestString < Test::Unit::TestCase
  def test_indexing
    s = "hello"
    assert_equal ["e", "o", nil, "", nil], [s[1], s[-1], s[5], s[5, 1], s[6, 1]]
    assert_equal ["ell", "ell", "hell", "llo", ""], [s[1, 3], s[1..3], s[0...-1], s[2..], s[3, 0]]
    assert_equal ["ell", nil, "ll", "e"], [s["ell"], s["xyz"], s[/l+/], s[/h(e)/, 1]]
    assert_equal "lo", s[/(?<end>lo)/, "end"]
  end

  def test_assignment_by_index
    s = +"hello"
    s[0] = "J"
    assert_equal "Jello", s
    s[1, 3] = "u"
    assert_equal "Juo", s
    s["o"] = "mp"
    assert_equal "Jump", s
    s[/m(p)/, 1] = "bo"
    assert_equal "Jumbo", s
    s[-2..] = ""
    assert_equal "Jum", s
    assert_raise_with_message(IndexError, "index 9 out of string") { s[9] = "x" }
    assert_raise(IndexError) { s["zz"] = "x" }
  end

  def test_concatenation
    s = +"a"
    assert_same s, s << "b"
    s << 99 << "d"
    assert_equal "abcd", s
    assert_equal "abcdxy", s.concat("x", "y")
    assert_equal "zabcdxy", s.prepend("z")
    assert_equal "ab", "a" + "b"
    assert_equal "ababab", "ab" * 3
    assert_raise_with_message(TypeError, "no implicit conversion of Integer into String") { "a" + 1 }
    assert_raise_with_message(TypeError, "no implicit conversion of nil into String") { "a" + nil }
  end

  def test_case
    assert_equal %w[ABC abc Abc aBC], ["aBc".upcase, "AbC".downcase, "aBC".capitalize, "Abc".swapcase]
    assert_equal %w[ÀÉ àé SS], ["àé".upcase, "ÀÉ".downcase, "ß".upcase]
    s = +"a"
    assert_same s, s.upcase!
    assert_nil s.upcase!
    assert_equal [0, true, nil, -1], ["A".casecmp("a"), "É".casecmp?("é"), "a".casecmp(1), "a".casecmp("b")]
  end

  def test_search
    s = "hello world"
    assert_equal [4, 7, nil, 2], [s.index("o"), s.index("o", 5), s.index("z"), s.index(/l/)]
    assert_equal [7, 4, 9], [s.rindex("o"), s.rindex("o", 6), s.rindex(/l/)]
    assert_equal [true, false], [s.include?("wor"), s.include?("x")]
    assert_equal [true, true, false], [s.start_with?("he"), s.start_with?(/h./), s.end_with?("x", "y")]
    assert_equal 3, "日本語語".rindex("語")
  end

  def test_replacement
    assert_equal "hexxo", "hello".gsub("l", "x")
    assert_equal "hexlo", "hello".sub("l", "x")
    assert_equal "h<e>ll<o>", "hello".gsub(/[eo]/, '<\0>')
    assert_equal "Smith John", "John Smith".sub(/(\w+) (\w+)/, '\2 \1')
    assert_equal "HeLLo", "hello".gsub(/[hl]/) { |c| c.upcase }
    assert_equal "h3ll0", "hello".gsub(/[eo]/, "e" => 3, "o" => 0)
    assert_equal "-a-b-", "ab".gsub("", "-")
    assert_equal "a.b", "a\\b".gsub("\\", ".")
    assert_nil (+"abc").gsub!("z", "")
    assert_equal ["h", "l"], "hl".gsub(/./).to_a
  end

  def test_splitting
    assert_equal %w[a b c], "a,b,c".split(",")
    assert_equal ["a", "b", "", ""], "a,b,,".split(",", -1)
    assert_equal ["a", "b,c"], "a,b,c".split(",", 2)
    assert_equal %w[a b], "  a   b ".split
    assert_equal %w[a b c], "abc".split("")
    assert_equal ["a", "1", "b"], "a1b".split(/(\d)/)
    assert_equal [], "".split(",")
    assert_equal ["a\n", "b"], "a\nb".lines
    assert_equal ["a", "b"], "a\nb\n".each_line(chomp: true).to_a
    assert_equal ["a", "-", "b-c"], "a-b-c".partition("-")
    assert_equal ["a-b", "-", "c"], "a-b-c".rpartition("-")
    assert_equal ["abc", "", ""], "abc".partition("x")
  end

  def test_stripping_and_padding
    assert_equal ["x", "x ", " x"], [" x ".strip, " x ".lstrip, " x ".rstrip]
    assert_equal ["ab", "abc", "ab", "a"], ["ab\n".chomp, "abcd".chomp("d"), "abc".chop, "a\r\n".chomp]
    assert_equal ["  a", "a..", "-a-", "xya"], ["a".rjust(3), "a".ljust(3, "."), "a".center(3, "-"), "a".rjust(3, "xyz")]
    assert_equal ["b", "a"], ["ab".delete_prefix("a"), "ab".delete_suffix("b")]
    assert_equal "a", "\0 a \0".strip
  end

  def test_characters
    assert_equal %w[日 本], "日本".chars
    assert_equal [230, 151, 165], "日".bytes
    assert_equal [2, 6], ["日本".length, "日本".bytesize]
    assert_equal [97, 0x65e5], ["a".ord, "日".ord]
    assert_equal "本日", "日本".reverse
    assert_equal [26085], "日".codepoints
    assert_equal "日", "日本".byteslice(0, 3)
    assert_raise_with_message(ArgumentError, "empty string") { "".ord }
  end

  def test_transliteration
    assert_equal "hippo", "hello".tr("el", "ip")
    assert_equal "*e**o", "hello".tr("^aeiou", "*")
    assert_equal "ifmmp", "hello".tr("a-y", "b-z")
    assert_equal "heo", "hello".delete("l")
    assert_equal "helo", "hello".squeeze
    assert_equal "helo", "hello".tr_s("l", "l")
    assert_equal [2, 3, 1], ["hello".count("l"), "hello".count("a-y", "^l"), "a-b".count("-")]
  end

  def test_successors
    assert_equal %w[b aa zz10 Ba 2.0], ["a".succ, "z".succ, "zz09".succ, "Az".succ, "1.9".succ]
    assert_equal %w[a b c], "a".upto("c").to_a
    assert_equal %w[9 10 11], "9".upto("11").to_a
    assert_equal %w[08 09 10], ("08".."10").to_a
    assert_equal "-", "-".succ == "." ? "-" : "x"
  end

  def test_numbers
    assert_equal [12, 0, -3, 255, 8, 5], ["12abc".to_i, "abc".to_i, " -3".to_i, "ff".to_i(16), "10".oct, "101".to_i(2)]
    assert_equal [1.5, 1e3], ["1.5".to_f, "1e3".to_f]
    assert_equal [3r / 4, 1i], ["0.75".to_r, "i".to_c]
    assert_equal 123456789012345678901, "123456789012345678901".to_i
  end

  def test_comparison
    assert_equal [-1, 0, 1, -1], ["a" <=> "b", "a" <=> "a", "b" <=> "a", "a" <=> "ab"]
    assert_equal [true, false, true], ["a" == "a", "a".equal?("a".dup), "a".eql?("a")]
    assert_equal "abc".hash, ("ab" + "c").hash
    assert_nil "a" <=> 1
  end

  def test_inspect_and_dump
    assert_equal '"a\nb\t\e\"\\\\"', "a\nb\t\e\"\\".inspect
    assert_equal '"\#{x} \#$x #x"', '#{x} #$x #x'.inspect
    assert_equal '"\u0000\u007F"', "\0\x7f".inspect
    assert_equal '"\xFF"', "\xff".inspect
    assert_equal '"\u00E9"', "é".dump
    assert_equal "é\n", "é\n".dump.undump
  end

  def test_encodings
    assert_equal Encoding::UTF_8, "a".encoding
    b = "é".b
    assert_equal [Encoding::BINARY, 2, true], [b.encoding, b.length, b.valid_encoding?]
    assert_equal [233], "é".encode("ISO-8859-1").bytes
    assert_equal false, "\xff".valid_encoding?
    assert_equal "a?", "a\xff".scrub("?")
    assert_equal "é", "\xe9".dup.force_encoding("ISO-8859-1").encode("UTF-8")
    assert_raise(Encoding::CompatibilityError) { "é" + "\xe9".b }
    assert_equal [true, false], ["a".ascii_only?, "é".ascii_only?]
    assert_equal "a", "a".encode("UTF-16LE").encode("UTF-8")
  end

  def test_freezing
    s = "abc".freeze
    assert_raise_with_message(FrozenError, "can't modify frozen String: \"abc\"") { s << "d" }
    assert_not_predicate +s, :frozen?
    assert_same s, -s
    assert_not_predicate s.dup, :frozen?
    assert_same :a.to_s.to_sym, :a
  end

  def test_formatting
    assert_equal "005|1.50|ff|x   |   x|+3|1e+02", format("%03d|%.2f|%x|%-4s|%4s|%+d|%.0e", 5, 1.5, 255, "x", "x", 3, 100)
    assert_equal "1 b", "%<a>d %{b}" % {a: 1, b: "b"}
    assert_equal '"a" nil', "%p %p" % ["a", nil]
    assert_equal "100%", "%d%%" % 100
    assert_equal ["..f", "-1", "0b101", "0o7"], ["%x" % -1, "%d" % -1, "%#b" % 5, "0o%o" % 7]
    assert_equal "A", "%c" % 65
  end

  def test_scanning
    assert_equal %w[a b], "a1b".scan(/[a-z]/)
    assert_equal [["k", "v"], ["x", "y"]], "k=v x=y".scan(/(\w)=(\w)/)
    found = []
    "a1b2".scan(/\d/) { found << $~.begin(0) }
    assert_equal [1, 3], found
  end

  def test_unpack
    assert_equal [1, 2], "\x01\x02".unpack("CC")
    assert_equal [258], "\x01\x02".unpack("n")
    assert_equal "YWJj", ["abc"].pack("m0")
    assert_equal "616263", "abc".unpack1("H*")
  end

  def test_substitution_inside_longer_text
    s = +"The quick brown fox"
    s.insert(4, "very ").slice!(0, 4)
    assert_equal "very quick brown fox", s
    assert_equal "xof nworb", s.reverse[0, 9]
    assert_equal "Very Quick Brown Fox", s.split.map(&:capitalize).join(" ")
    assert_equal({"v" => 1, "e" => 1}, s[0, 2].chars.tally)
  end

  def test_conversion_protocols
    o = Object.new
    def o.to_str = "str"
    assert_equal "a str", "a " + o
    assert_equal true, "str" == o || true
    assert_equal "o: 5", "o: #{5}"
    assert_equal [true, "5"], [String === "a", String(5)]
    assert_same "x".to_sym, :x
  end

  def test_each_grapheme_and_normalize
    assert_equal 1, "e\u0301".grapheme_clusters.size
  rescue NotImplementedError => e
    omit e.message
  end
end
