def try = yield rescue p($!.class)
try { Regexp.new("(") }  # => RegexpError
try { Regexp.new("[") }  # => RegexpError
try { Regexp.new("*") }  # => RegexpError
try { Regexp.new("a{99999999}") }  # => RegexpError
try { Regexp.new("(?<a") }  # => RegexpError
try { Regexp.new("\\") }  # => RegexpError
try { Regexp.new("(?<=a+)b") }  # => RegexpError
try { Regexp.new(nil) }  # => TypeError
try { Regexp.new("\\k<nope>") }  # => RegexpError
try { "a".match(/a/)[:x] }  # => IndexError
try { "a".match("(") }  # => RegexpError
try { Regexp.union(1) }  # => TypeError
p "a".match(/a/)[5], $9, "abc"[/(b)(c)/, 2], "x" =~ nil.to_s.then { /y/ }  # => nil
# => nil
# => "c"
# => nil
