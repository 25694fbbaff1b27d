s = +"aXbXc"
n = 0
begin
  s.scan(/X/) { n += 1; s.clear }
rescue RuntimeError
end
p n > 0  # => true
