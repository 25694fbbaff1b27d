def target(*a, **k, &b) = [a, k, b&.call]
def all(...) = target(...)
def lead(x, ...) = target(x, 0, ...)
def anon(*, **, &) = target(*, **, &)
p all(1, a: 2) { 3 }  # => [[1], {a: 2}, 3]
p lead(9, 1, a: 2)  # => [[9, 0, 1], {a: 2}, nil]
p anon(1, b: 3) { 4 }  # => [[1], {b: 3}, 4]
