# Integer#times calling a block that does nothing, 30 million times.
30_000_000.times { |index| }
