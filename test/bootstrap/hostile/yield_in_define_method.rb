c = Class.new { define_method(:m) { |&b| block_given? ? 1 : b.nil? } }
p c.new.m, c.new.m { }  # => true
# => false
