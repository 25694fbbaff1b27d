log = []
def outer(log)
  inner(log) { |x| yield x }
ensure
  log << :outer
end
def inner(log)
  yield 1
ensure
  log << :inner
end
p outer(log) { |x| break :broke }  # => :broke
p log  # => [:inner, :outer]
