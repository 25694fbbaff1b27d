class A; end
A::B = 3
p A::B  # => 3
A.const_set(:C, 4)
p A.constants.sort  # => [:B, :C]
A.send(:remove_const, :C)
p A.const_defined?(:C)  # => false
D = Class.new
p D.name, D.new.class
# => "D"
# => D
E, F = 1, 2
p E + F  # => 3
