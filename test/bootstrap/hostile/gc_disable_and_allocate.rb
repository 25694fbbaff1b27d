GC.disable
a = nil
200_000.times { |i| a = i.to_s }
GC.enable
GC.start
p a  # => "199999"
