i = 0
i += 1 while i < 30_000_000
