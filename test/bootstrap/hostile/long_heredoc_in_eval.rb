p eval("<<A\n" + "x\n" * 100_000 + "A\n").size  # => 200000
