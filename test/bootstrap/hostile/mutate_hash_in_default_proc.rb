h = Hash.new { |hash, key| hash.clear; hash[key] = 1 }
p h[1], h[2], h  # => 1
# => 1
# => {2 => 1}
