a = [1, 2, 3]
e = a.each
e.next
a.clear
begin
  e.next
rescue StopIteration
  p :end  # => :end
end
