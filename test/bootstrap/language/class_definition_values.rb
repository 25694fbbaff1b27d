p (class A; 5; end)  # => 5
p (def m; end), (module M; self; end)
# => :m
# => M
p (class << A; self; end)  # => #<Class:A>
class B
  p self, self.class
# => B
# => Class
  def self.x = self
end
p B.x, B.name, Class.new.name
# => B
# => "B"
# => nil
p (class C < Struct.new(:a); new(1).a; end)  # => 1
