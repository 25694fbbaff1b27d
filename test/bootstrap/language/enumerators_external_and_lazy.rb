e = Enumerator.new { |y| y << 1 << 2; y.yield 3, 4; :done }
p [e.next, e.next, e.next, (e.next rescue $!.result)]  # => [1, 2, [3, 4], :done]
p [e.to_a, e.size, e.with_index(1).to_a, e.rewind.next]  # => [[1, 2, [3, 4]], nil, [[1, 1], [2, 2], [[3, 4], 3]], 1]
fib = Enumerator.new { |y| a, b = 0, 1; loop { y << a; a, b = b, a + b } }
p fib.take(10)  # => [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
p fib.lazy.select(&:even?).first(4)  # => [0, 2, 8, 34]
p fib.each_with_index.first(2)  # => [[0, 0], [1, 1]]
p [[1, 2, 3].each_slice(2).map(&:sum), %w[a b].each_with_index.to_a]  # => [[3, 3], [["a", 0], ["b", 1]]]
def nums = (return to_enum(:nums) unless block_given?; yield 1; yield 2)
p nums.map { |x| x * 2 }  # => [2, 4]
p Enumerator.produce(1) { |x| x * 2 }.take(5)  # => [1, 2, 4, 8, 16]
