ps = 1_000.times.map { |i| y = i.to_s; -> { y << "!"; y.size } }
GC.start
p ps[999].call, ps[999].call, ps[7].call  # => 4
# => 5
# => 2
