ObjectSpace.define_finalizer("a".dup, proc { print "fin " })
at_exit { print "exit " }
# survives
