def m
  return 1
ensure
  return 2
end
def n
  [1].each { return 1 }
ensure
  [1].each { return 3 }
end
p m, n  # => 2
# => 3
