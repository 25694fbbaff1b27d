p (1..).lazy.map { |x| x * 2 }.select(&:even?).reject { |x| x % 4 == 0 }.first(2)  # => [2, 6]
p (1..).lazy.zip((1..).lazy).first(1), (1..).lazy.flat_map { |x| [x, x] }.first(3)  # => [[1, 1]]
# => [1, 1, 2]
p (1..3).lazy.eager.class, (1..).lazy.with_index.first(1)  # => Enumerator::Lazy
# => [[1, 0]]
# survives
