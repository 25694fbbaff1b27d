p "hello world".gsub(/o/, "0").sub("h") { |m| m.upcase }  # => "Hell0 w0rld"
p "John Smith".sub(/(\w+) (\w+)/, '\2, \1')  # => "Smith, John"
p "a1b22".gsub(/\d+/) { |d| (d.to_i * 2).to_s + $&.size.to_s }  # => "a21b442"
p "path/to".gsub("/", "::"), "cat".tr("a-y", "b-z")
# => "path::to"
# => "dbu"
p "k=v; x=y".scan(/(\w)=(\w)/)  # => [["k", "v"], ["x", "y"]]
if "2024-05-06" =~ /(?<year>\d+)-(?<month>\d+)/
  p [$~[:year], $1, $~.names]  # => ["2024", "2024", ["year", "month"]]
end
if /(?<y>\d+)-(?<m>\d+)/ =~ "2024-05"
  p [y, m]  # => ["2024", "05"]
end
p "foo bar" !~ /z/, "abc" === "abc", /b/ === "abc"
# => true
# => true
# => true
