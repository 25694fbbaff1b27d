p [proc { |a, b| }.arity, lambda { |a, b = 1| }.arity, proc { |*a| }.arity, ->(a:) { }.arity]  # => [2, -2, -1, 1]
p [proc { }.lambda?, lambda(&proc { }).lambda?, :up.to_proc.lambda?]
add = ->(a, b, c) { a + b + c }
p [add.curry[1][2][3], add.curry.(1, 2).(3)]
f = ->(x) { x + 1 } >> ->(x) { x * 2 }
g = ->(x) { x + 1 } << ->(x) { x * 2 }
p [f[3], g[3], add.(1, 2, 3), add[1, 2, 3]]
p [proc { |x| x }.parameters, proc { |x| x }.parameters(lambda: true), add.parameters]
# raises ArgumentError: the lambda method requires a literal block
