a = (1..10).to_a
a.each_slice(3) { a.clear }
p a  # => []
