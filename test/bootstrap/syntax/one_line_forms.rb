if true then p 1 end  # => 1
while false do end
case 1 when 1 then p :one end  # => :one
begin p 2 end  # => 2
def a() p 3 end; a  # => 3
class A; def x; 4 end end; p A.new.x  # => 4
p((1..3).each_with_object([]) do |x, m| m << x end)  # => [1, 2, 3]
unless false; p 5; else p 6; end  # => 5
p [*1..3, *"a"], [1, 2,], {a: 1,}
# => [1, 2, 3, "a"]
# => [1, 2]
# => {a: 1}
x = if false then 1 else 2 end; p x  # => 2
