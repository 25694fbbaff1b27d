o = Object.new
ObjectSpace.define_finalizer(o, proc { GC.start; "garbage" * 10; Object.new })
o = nil
1_000.times { Object.new }
GC.start
p :alive  # => :alive
