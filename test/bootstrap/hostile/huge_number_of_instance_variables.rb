o = Object.new
3_000.times { |i| o.instance_variable_set(:"@v#{i}", i) }
p o.instance_variable_get(:@v2999), o.instance_variables.size  # => 2999
# => 3000
