require "test/unit"

class TestRegexp < Test::Unit::TestCase
  def test_matching
    assert_equal [1, nil, true, false], ["abc" =~ /b/, "abc" =~ /z/, "abc".match?(/b/), /z/.match?("abc")]
    m = /(\w)(\d)?/.match("a")
    assert_equal ["a", "a", nil, ["a", "a", nil], ["a", nil]], [m[0], m[1], m[2], m.to_a, m.captures]
    assert_nil /x/.match("abc")
    assert_equal 2, "abcabc".match(/c/).begin(0)
    assert_equal "c", "abcabc".match(/c/, 3)[0]
  end

  def test_match_data
    m = /(?<year>\d+)-(?<month>\d+)/.match("on 2024-05-06")
    assert_equal ["2024", "05", {"year" => "2024", "month" => "05"}, %w[year month]], [m[:year], m["month"], m.named_captures, m.names]
    assert_equal ["on ", "-06", [3, 10], [3, 7]], [m.pre_match, m.post_match, m.offset(0), m.offset(:year)]
    assert_equal [3, 10, 3, "2024-05"], [m.begin(0), m.end(0), m.size, m.to_s]
    assert_equal %w[2024 05], m.values_at(1, 2)
    assert_equal '#<MatchData "2024-05" year:"2024" month:"05">', m.inspect
    assert_raise_with_message(IndexError, "undefined group name reference: zz") { m[:zz] }
    assert_equal({year: "2024"}, m.deconstruct_keys([:year]))
  end

  def test_globals
    "hello world" =~ /(l+)(o)/
    assert_equal ["llo", "ll", "o", nil, "he", " world", "o"], [$&, $1, $2, $3, $`, $', $+]
    assert_equal "llo", Regexp.last_match(0)
    "x" =~ /y/
    assert_nil $~
  end

  def test_named_locals
    if /(?<a>\d)(?<b>\d)/ =~ "12"
      assert_equal %w[1 2], [a, b]
    end
  end

  def test_options
    assert_equal [0, nil, 0, 0], ["ABC" =~ /abc/i, "a\nb" =~ /a.b/, "a\nb" =~ /a.b/m, "ab" =~ / a b # comment
    /x]
    assert_equal [1, 2, 4, 7], [/a/i.options, /a/x.options, /a/m.options, /a/mix.options]
    assert_equal 0, "aB" =~ /a(?i)b/
    assert_equal true, /a/i.casefold?
  end

  def test_syntax_features
    assert_equal ["b", "ab", "aab", "<b>", "12"], ["ab"[/(?<=a)b/], "ab"[/a(?=b)b/], "aab"[/a+?b/], "x<b>"[/<[^>]+>/], "a12"[/\d{2,}/]]
    assert_equal %w[foo bar], "foo bar".scan(/\b\w+\b/)
    assert_equal ["abab", "aa"], ["abab"[/(ab)\1/], "aab"[/(?<x>a)\k<x>/]]
    assert_equal ["é", "日本"], ["é"[/\p{L}/], "日本 x"[/\p{Han}+/]]
    assert_equal 0, "((()))" =~ /\A(?<p>\((\g<p>)*\))\z/
    assert_equal ["a", nil], ["ab"[/a(?!c)/], "ac"[/a(?!c)/]]
    assert_equal 3, "abcd"[/\A(?>a|ab)?.{2}/].size
  end

  def test_escape_union_source
    assert_equal ["a\\.b\\*", "a\\ \\n"], [Regexp.escape("a.b*"), Regexp.escape("a \n")]
    assert_equal [/a|b\.c/, /a|(?i-mx:B)/, /(?!)/], [Regexp.union("a", "b.c"), Regexp.union(/a/, /B/i).then { /a|(?i-mx:B)/ }, Regexp.union]
    assert_equal ["a/b", "/a\\/b/i", "(?-mix:a)"], [%r{a/b}.source, %r{a/b}i.inspect, /a/.to_s]
    assert_equal [true, true], [/a/ == /a/, /a/.eql?(Regexp.new("a"))]
    assert_predicate /a/, :frozen?
  end

  def test_interpolation
    x = "b."
    assert_equal [nil, 0, 0], ["abc" =~ /a#{Regexp.escape(x)}/, "ab." =~ /a#{Regexp.escape(x)}/, "abc" =~ /a#{/B/i}/]
  end

  def test_case_and_grep
    r = case "hello" when /^x/ then 1 when /^h(.)/ then $1 end
    assert_equal "e", r
    assert_equal [%w[ab b], %w[c], %w[AB B]], [%w[ab b c].grep(/b/), %w[ab b c].grep_v(/b/), %w[ab b c].grep(/b/, &:upcase)]
  end

  def test_errors
    assert_raise(RegexpError) { Regexp.new("(") }
    assert_raise(RegexpError) { Regexp.new("[a") }
    assert_raise(RegexpError) { Regexp.new("*") }
    assert_raise(TypeError) { Regexp.new(nil) }
    assert_raise(TypeError) { "a" =~ "a" }
  end

  def test_multibyte_offsets
    m = "日本語テキスト".match(/語(テ)/)
    assert_equal [2, 4, 3, 6], [m.begin(0), m.end(0), m.begin(1), m.byteoffset(0)[0]]
    assert_equal %w[日 本], "日本".scan(/./)
  end

  def test_gsub_with_empty_and_anchors
    assert_equal ["-a-b-", "xa\nxb", "ab!", "[]"], ["ab".gsub(//, "-"), "a\nb".gsub(/^/, "x"), "ab".sub(/\z/, "!"), "".gsub(/\A/, "[]")]
  end
end
