def dive(n) = dive(n + 1)
begin
  dive(0)
rescue SystemStackError => e
  p e.class, e.message  # => SystemStackError
  # => "stack level too deep"
end
p :alive  # => :alive
