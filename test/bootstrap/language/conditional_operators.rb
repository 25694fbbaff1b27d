a = nil
p a&.foo(raise)  # => nil
p (a || 5), (a && 5), (not a), (a or 6)
# => 5
# => nil
# => true
# => 6
x = (true and false)
p x  # => false
p (1 if false), (1 unless false)
# => nil
# => 1
p !!1, !nil
# => true
# => true
