t = Thread.current
t[:a] = 1
t.thread_variable_set(:b, 2)
p [t[:a], t.key?(:a), t.keys.include?(:a), t.thread_variable_get(:b), t.thread_variable?(:b)]  # => [1, true, true, 2, true]
Fiber.new { p [t[:a], t.thread_variable_get(:b)] }.resume  # => [nil, 2]
p Thread.new { [Thread.current[:a], Thread.current.thread_variable_get(:b)] }.value  # => [nil, nil]
p t.fetch(:a), t.fetch(:zz, 5)
# => 1
# => 5
