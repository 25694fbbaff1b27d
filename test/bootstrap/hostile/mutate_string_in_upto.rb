s = +"a"
n = 0
s.upto("e") { |x| n += 1; s.clear }
p n  # => 5
