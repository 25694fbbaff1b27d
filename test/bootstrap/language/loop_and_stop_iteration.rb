e = [1, 2].each
r = loop { e.next }
p r  # => [1, 2]
i = 0
p (loop { i += 1; break i if i > 3 })  # => 4
p loop { raise StopIteration }  # => nil
