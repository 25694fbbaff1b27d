def outer
  def inner = :inner
  :outer
end
p outer, inner
# => :outer
# => :inner
class A
  %w[x y].each { |n| define_method("get_#{n}") { |d = 0| [n, d] } }
end
p A.new.get_x, A.new.get_y(2)
# => ["x", 0]
# => ["y", 2]
p A.instance_methods(false).sort  # => [:get_x, :get_y]
