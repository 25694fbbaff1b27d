$log = []
def a = (b)
def a
  b
ensure
  $log << :a
end
def b
  c
ensure
  $log << :b
end
def c
  raise "x"
ensure
  $log << :c
end
a rescue $log << :rescued
p $log  # => [:c, :b, :a, :rescued]
