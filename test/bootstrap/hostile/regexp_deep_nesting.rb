begin
  Regexp.new("(" * 20_000 + ")" * 20_000)
rescue RegexpError
end
begin
  Regexp.new("(?:" * 3_000 + "a" + ")*" * 3_000).match?("aaa")
rescue RegexpError
end
p :alive  # => :alive
