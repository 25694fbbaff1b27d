pairs = 50.times.map { IO.pipe }
readers = pairs.map { |r, _| Thread.new { r.read } }
pairs.each_with_index { |(_, w), i| w << i.to_s; w.close }
p readers.map(&:value) == 50.times.map(&:to_s)  # => true
