require "monitor"
m = Monitor.new
p m.synchronize { m.synchronize { :deep } }  # => :deep
class Box
  include MonitorMixin
  def initialize = (super(); @c = new_cond; @v = nil)
  def put(v) = synchronize { @v = v; @c.signal }
  def take = synchronize { @c.wait_until { @v }; @v }
end
b = Box.new
t = Thread.new { b.take }
b.put(3)
p t.value  # => 3
