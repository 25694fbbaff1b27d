e = [1, 2, 3].each
e.next
p Thread.new { begin; e.next; rescue FiberError => x; x.class; end }.value  # => FiberError
