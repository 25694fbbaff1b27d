GC.stress = true
a = (1..20).map { |i| [i.to_s, {i => i.to_f}] }
GC.stress = false
p a[19]  # => ["20", {20 => 20.0}]
