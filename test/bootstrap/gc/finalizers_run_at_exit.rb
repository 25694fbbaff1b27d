ObjectSpace.define_finalizer("x".dup, proc { |id| puts "finalized #{id.class}" })
puts "end"
# => end
# => finalized Integer
