def b
  x = 1
  binding
end
bs = 1_000.times.map { b }
GC.start
p bs.sum { |e| e.local_variable_get(:x) }  # => 1000
p b.local_variables.include?(:x), b.eval("x + 1")  # => true
# => 2
