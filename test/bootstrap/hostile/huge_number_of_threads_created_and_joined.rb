p 5_000.times.map { |i| Thread.new { i } }.sum(&:value)  # => 12497500
