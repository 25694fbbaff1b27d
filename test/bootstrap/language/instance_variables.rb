class A; def set = (@b = 1; @a = 2); end
a = A.new
p a.instance_variables  # => []
a.set
p a.instance_variables, a.instance_variable_defined?(:@a), a.instance_variable_get(:@zz)
# => [:@b, :@a]
# => true
# => nil
a.remove_instance_variable(:@b)
p a.instance_variables  # => [:@a]
p @nothing  # => nil
