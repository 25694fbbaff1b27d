$log = []
module Hook
  def self.included(m) = $log << [:included, m]
  def self.extended(m) = $log << [:extended, m.class]
  def self.prepended(m) = $log << [:prepended, m]
  def self.method_added(n) = $log << [:added, n]
  def foo = 1
end
class A
  def self.inherited(k) = ($log << [:inherited, k.name]; super)
  def self.method_added(n) = $log << [:madded, n]
  def self.singleton_method_added(n) = $log << [:sadded, n]
  include Hook
  def x = 1
  def self.y = 2
end
class B < A; prepend Hook; end
Object.new.extend(Hook)
puts $log.map(&:inspect)
# => [:added, :foo]
# => [:sadded, :singleton_method_added]
# => [:included, A]
# => [:madded, :x]
# => [:sadded, :y]
# => [:inherited, "B"]
# => [:prepended, B]
# => [:extended, Object]
