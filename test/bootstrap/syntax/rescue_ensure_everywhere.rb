def m = yield
def a
  1
rescue
  2
else
  3
ensure
  4
end
p a  # => 3
x = begin 1 / 0 rescue 5 end
p x  # => 5
p m { raise "x" rescue 6 }  # => 6
y = [1].each do |v|
  raise
rescue
  p 7  # => 7
else
  p 8
ensure
  p 9  # => 9
end
l = -> do
  raise "q"
rescue => e
  e.message
end
p l.call  # => "q"
class C
  raise "in class"
rescue
  p 10  # => 10
end
