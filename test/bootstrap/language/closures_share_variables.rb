x = 0
inc = -> { x += 1 }
get = -> { x }
inc.()
inc.()
p get.()  # => 2
def counter
  n = 0
  [-> { n += 1 }, -> { n }]
end
a, b = counter
c, d = counter
a.call
a.call
c.call
p b.call, d.call
# => 2
# => 1
