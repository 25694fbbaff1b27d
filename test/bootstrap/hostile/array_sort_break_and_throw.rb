a = [3, 2, 1]
p a.sort { break :out }, catch(:x) { a.sort_by { throw :x, 1 } }  # => :out
# => 1
begin
  a.sort! { raise "x" }
rescue
  p a.sort  # => [1, 2, 3]
end
