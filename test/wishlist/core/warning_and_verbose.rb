$VERBOSE = nil
A = 1
A = 2
p A, $VERBOSE, $DEBUG
# => 2
# => nil
# => false
