calls = 0
m = Mutex.new
memo = nil
p 20.times.map { Thread.new { m.synchronize { memo ||= (calls += 1; :v) } } }.map(&:value).uniq  # => [:v]
p calls  # => 1
