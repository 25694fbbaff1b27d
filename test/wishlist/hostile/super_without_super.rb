class Top < BasicObject
  def a = super
  def method_missing(*) = super
end
begin
  Top.new.a
rescue NoMethodError => e
  p e.message  # => "super: no superclass method 'a' for an instance of Top"
end
class Other
  def b = super
  define_method(:c) { super() }
end
begin
  Other.new.b
rescue NoMethodError => e
  p e.message  # => "super: no superclass method 'b' for an instance of Other"
end
begin
  Other.new.c
rescue NoMethodError => e
  p e.message  # => "super: no superclass method 'c' for an instance of Other"
end
begin
  eval("super")
rescue RuntimeError, NoMethodError => e
  p e.message  # => "super called outside of method"
end
