p %w[a b].map(&:upcase), [1, 2, 3].inject(:+), [[1, 2], [3, 4]].map(&:first)
# => ["A", "B"]
# => 6
# => [1, 3]
class Doubler; def to_proc = ->(x) { x * 2 }; end
p [1, 2].map(&Doubler.new)  # => [2, 4]
h = {a: 1}
p [:a, :b].map(&h)  # => [1, nil]
