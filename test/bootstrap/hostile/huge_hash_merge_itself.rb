h = {a: 1}
h.merge!(h)
h.update(h) { |k, a, b| a + b }
h.replace(h)
p h  # => {a: 2}
