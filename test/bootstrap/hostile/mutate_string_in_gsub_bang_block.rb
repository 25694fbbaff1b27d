s = +"aaaa"
begin
  s.gsub!("a") { s << "x"; "b" }
rescue RuntimeError => e
  p e.message  # => "string modified"
end
