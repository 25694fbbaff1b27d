h = Hash.new { |hash, k| k < 1000 ? hash[k + 1] + 1 : 0 }
p h[0]  # => 1000
