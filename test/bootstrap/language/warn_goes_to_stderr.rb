warn "careful"
$stderr.puts "more"
p 1  # => 1
# stderr: careful
# stderr: more
