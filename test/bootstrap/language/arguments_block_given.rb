def m = block_given?
p m, m { }, m(&nil), m(&:x)
# => false
# => true
# => false
# => true
def n = [1].map { block_given? }
p n { }  # => [true]
