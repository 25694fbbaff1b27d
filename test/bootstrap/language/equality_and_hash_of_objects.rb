class K
  attr_reader :v
  def initialize(v) = @v = v
  def ==(o) = o.is_a?(K) && v == o.v
  alias eql? ==
  def hash = v.hash
end
p [K.new(1) == K.new(1), K.new(1) != K.new(2), {K.new(1) => :x}[K.new(1)]]  # => [true, true, :x]
p [[K.new(1), K.new(1)].uniq.size, [K.new(1)] - [K.new(1)], [K.new(1)].include?(K.new(1))]  # => [1, [], true]
