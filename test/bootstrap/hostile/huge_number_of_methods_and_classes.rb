c = Class.new
2_000.times { |i| c.define_method(:"m#{i}") { i } }
p c.new.m1999  # => 1999
k = Object
1_000.times { k = Class.new(k) }
p k.new.to_s.start_with?("#<#<Class:"), k.ancestors.size > 1_000  # => true
# => true
