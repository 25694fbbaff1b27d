h = {a: 1, b: 2, c: 3}
seen = []
h.each { |k, v| seen << k; h.delete(:b); h.delete(:a) }
p seen, h  # => [:a, :c]
# => {c: 3}
