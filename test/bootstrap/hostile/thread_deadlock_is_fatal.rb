Thread.stop  # raises fatal: No live threads left. Deadlock?
# survives
