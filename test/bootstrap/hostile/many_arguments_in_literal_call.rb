source = "[" + (0...100_000).to_a.join(",") + "].size"
p eval(source)  # => 100000
