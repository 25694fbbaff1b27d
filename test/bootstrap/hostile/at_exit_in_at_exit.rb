at_exit { p 1; at_exit { p 2; at_exit { p 3 } } }
# => 1
# => 2
# => 3
