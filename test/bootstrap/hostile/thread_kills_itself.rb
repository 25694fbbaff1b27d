t = Thread.new { Thread.current.kill; :never }
p t.value, t.alive?  # => nil
# => false
