def a(x = nil) = block_given? ? [:a, x] : [:no, x]
def b(x = nil) = block_given? ? :blk : :none
r = a b do 1 end
p r  # => [:a, :none]
r = a b { 1 }
p r  # => [:no, :blk]
p a(b) { 1 }  # => [:a, :none]
z = lambda do |q| q end
p z.(1)  # => 1
p [3, 1].sort_by do |v| v end.class  # => #<Enumerator: [3, 1]:sort_by>
