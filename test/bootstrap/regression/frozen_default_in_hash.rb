h = Hash.new { |hh, k| hh[k] = [] }
h[:a] << 1
h[:b] <<= 2
p h  # => {a: [1], b: [2]}
