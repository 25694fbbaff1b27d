x = 1
p eval("x + 1")  # => 2
p eval("y = 2; x + y")  # => 3
b = binding
b.local_variable_set(:z, 9)
p [b.local_variable_get(:z), b.local_variables.include?(:x), eval("z", b), b.receiver]  # => [9, true, 9, main]
def get = (secret = 5; binding)
p get.eval("secret")  # => 5
eval("def made = :made")
p made  # => :made
p eval("[__FILE__, __LINE__]", nil, "f.rb", 77)  # => ["f.rb", 77]
