X = 1
module M
  X = 2
  class A
    def x = X
    def top = ::X
  end
end
class M::A
  def x2 = X
end
p M::A.new.x, M::A.new.x2, M::A.new.top
# => 2
# => 1
# => 1
class Base; Y = :base; end
class Sub < Base; def y = Y; end
p Sub.new.y, Sub::Y
# => :base
# => :base
module Mix; Z = :mix; end
class Base; include Mix; end
p Sub.new.class::Z  # => :mix
p Sub.const_get(:Y), Sub.constants.include?(:Y), Sub.const_defined?(:Y, false)
# => :base
# => true
# => false
begin
  M::Nope
rescue NameError => e
  p e.message, e.name, e.receiver
# => "uninitialized constant M::Nope"
# => :Nope
# => M
end
