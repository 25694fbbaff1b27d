keep = (0...1_000).map { |i| ["s#{i}", {i => i.to_f}, i.to_s.to_sym, Object.new] }
5.times { GC.start; 10_000.times { |i| "garbage #{i}" } }
p keep.each_with_index.all? { |(s, h, y, o), i| s == "s#{i}" && h[i] == i.to_f && y == :"#{i}" && o.class == Object }  # => true
