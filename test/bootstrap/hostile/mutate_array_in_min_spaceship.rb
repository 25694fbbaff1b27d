a = []
c = Class.new { define_method(:<=>) { |o| a.clear; 0 } }
a.replace([c.new, c.new, c.new])
p a.min.is_a?(c), a.size  # => true
# => 0
