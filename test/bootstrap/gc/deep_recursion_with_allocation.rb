def dive(n) = n == 0 ? [] : [n, dive(n - 1)]
x = dive(5_000)
GC.start
n = 0
n, x = n + 1, x[1] while x[1]
p n  # => 5000
