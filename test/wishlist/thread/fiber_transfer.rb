a = b = nil
log = []
a = Fiber.new { log << :a1; b.transfer; log << :a2; :done }
b = Fiber.new { log << :b1; a.transfer; log << :never }
p a.transfer  # => :done
p log  # => [:a1, :b1, :a2]
