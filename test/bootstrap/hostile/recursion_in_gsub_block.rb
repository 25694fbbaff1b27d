def dive(s) = s.gsub(/./) { dive(s) }
begin
  dive("ab")
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
