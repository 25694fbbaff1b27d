c = Class.new
1_000.times { |i| c.include(Module.new { define_method(:"m#{i}") { i } }) }
p c.new.m0, c.new.m999  # => 0
# => 999
