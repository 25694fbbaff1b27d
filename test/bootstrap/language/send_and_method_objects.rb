p [5.send(:+, 3), "a".public_send(:upcase), [1, 2].__send__(:first)]  # => [8, "A", 1]
p [5.respond_to?(:+), Object.new.respond_to?(:puts), Object.new.respond_to?(:puts, true)]  # => [true, false, true]
m = 5.method(:+)
p [m.call(1), [1, 2].map(&m), m.owner, m.name, m.receiver]  # => [6, [6, 7], Integer, :+, 5]
um = Array.instance_method(:size)
p [um.bind([1, 2]).call, um.bind_call([3])]  # => [2, 1]
