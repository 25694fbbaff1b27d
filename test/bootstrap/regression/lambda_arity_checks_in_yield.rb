def y2 = yield(1, 2)
def y1 = yield([1, 2])
p y2(&->(a, b) { [a, b] })  # => [1, 2]
begin
  y2(&->(a) { a })
rescue ArgumentError => e
  p e.message  # => "wrong number of arguments (given 2, expected 1)"
end
begin
  p y1(&->(a, b) { [a, b] })
rescue ArgumentError => e
  p e.message  # => "wrong number of arguments (given 1, expected 2)"
end
p y1 { |a, b| [a, b] }  # => [1, 2]
