# Doubly recursive Fibonacci of 34: method calls and small integers.
def fib(n)
  return 1 if n < 3
  fib(n - 1) + fib(n - 2)
end

fib(34)
