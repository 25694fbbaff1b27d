o = Object.new
10.times { |i| o.instance_variable_set(:"@v#{i}", i) }
o.instance_variables.each { |v| o.remove_instance_variable(v); o.instance_variable_set(:"@w#{v[2..]}", 1) }
p o.instance_variables.size  # => 10
