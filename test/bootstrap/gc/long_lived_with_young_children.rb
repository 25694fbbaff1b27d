old = Array.new(1_000) { [] }
3.times { GC.start }
old.each_with_index { |a, i| a << "young#{i}" }
3.times { GC.start(full_mark: false) rescue GC.start }
p old.each_with_index.all? { |a, i| a[0] == "young#{i}" }  # => true
