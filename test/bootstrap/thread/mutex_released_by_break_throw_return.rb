m = Mutex.new
m.synchronize { break } rescue 0
[1].each { m.synchronize { next } }
catch(:x) { m.synchronize { throw :x } }
def r(m) = m.synchronize { return 1 }
r(m)
p m.locked?  # => false
