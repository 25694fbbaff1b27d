objects = Array.new(5_000) { |i| Object.new.tap { |o| o.define_singleton_method(:me) { i } } }
p objects.sum(&:me)  # => 12497500
