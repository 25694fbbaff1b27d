class A; def initialize = @s = 7; end
p A.new.instance_eval { @s }  # => 7
p A.new.instance_exec(3) { |x| @s + x }  # => 10
A.class_eval { def added = @s }
p A.new.added  # => 7
A.class_exec(:named) { |n| define_method(n) { n } }
p A.new.named  # => :named
o = Object.new
o.instance_eval { def sing = :sing }
p o.sing  # => :sing
p A.instance_eval { self }  # => A
p 5.instance_eval { self + 1 }  # => 6
