s = +"aaaa"
begin
  s.gsub("a") { s.clear; "b" }
rescue RuntimeError => e
  p e.message  # => "string modified"
end
