def t(x) = (print x, " "; x)  # => 1 [2] 3 4 {b: 5}
def m(*, **) = puts
m(t(1), *t([2]), t(3), a: t(4), **t({b: 5}))
