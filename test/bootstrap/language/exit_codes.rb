at_exit { puts "one" }
at_exit { puts "two" }
exit 3
# => two
# => one
# exits 3
