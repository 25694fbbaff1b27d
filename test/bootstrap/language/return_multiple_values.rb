def m
  return 1, 2
end
def n
  return 1, *[2, 3]
end
p m, n
# => [1, 2]
# => [1, 2, 3]
