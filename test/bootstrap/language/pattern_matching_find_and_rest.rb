case [1, 42, "x", :y]
in [*, String => s, *post]
  p [s, post]  # => ["x", [:y]]
end
case {a: 1, b: 2, c: 3}
in {a: Integer => x, **rest}
  p [x, rest]  # => [1, {b: 2, c: 3}]
end
case {a: 1}
in {a: 1, **nil} then p :exact  # => :exact
end
p(({a: 1, b: 2} in {a:, **nil}))  # => false
p [(5 in 1..9), ("x" in Integer)]  # => [true, false]
{k: [1, {z: 2}]} => {k: [_, {z:}]}
p z  # => 2
x = 5
p [(5 in ^x), (6 in ^(x + 1))]  # => [true, true]
case [1, 1]
in [a, ^a] then p :same  # => :same
end
