def m(&b) = b
p m.nil?, m(&nil).nil?
# => true
# => true
pr = proc { 1 }
p m(&pr).equal?(pr)  # => true
p [1, 2].map(&:to_s), %w[a b].each_with_index.map(&:upcase) rescue p $!.class  # => ArgumentError
p [1, 2].map(&10.method(:+))  # => [11, 12]
def y = yield(1, 2)
p y(&->(a, b) { [a, b] })  # => [1, 2]
