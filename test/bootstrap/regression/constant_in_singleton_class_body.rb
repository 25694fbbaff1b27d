class A
  X = 1
  class << self
    Y = X + 1
    def get = [X, Y]
  end
end
p A.get  # => [1, 2]
