100_000.times { |i| "flood#{i}".to_sym }
GC.start
p :"flood5", "flood99999".to_sym  # => :flood5
# => :flood99999
