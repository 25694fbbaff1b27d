class A; def m(x) = x; end
class B < A
  define_method(:m) { |x| super(x) + 1 }
end
p B.new.m(1)  # => 2
class C < A
  define_method(:m) { |x| super }
end
begin
  C.new.m(1)
rescue RuntimeError => e
  p e.message  # => "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly."
end
