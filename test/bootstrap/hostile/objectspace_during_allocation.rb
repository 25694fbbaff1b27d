n = 0
ObjectSpace.each_object(String) { |s| "new string #{n}"; n += 1; break if n > 10_000 }
p n > 100  # => true
ObjectSpace.each_object(Class) { |c| c.name; c.instance_methods(false) }
GC.start
p :alive  # => :alive
