def dive(n) = Enumerator.new { |y| y << dive(n + 1).next }
begin
  dive(0).next
rescue SystemStackError, FiberError => e
  p e.is_a?(Exception)  # => true
end
