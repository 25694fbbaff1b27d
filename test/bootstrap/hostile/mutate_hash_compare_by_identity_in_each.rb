h = {a: 1}
begin
  h.each { h.compare_by_identity }
rescue => e
  p e.message  # => "compare_by_identity during iteration"
end
