class A; def method_missing(n, *a) = [:missing, n, a]; end
class B < A; def foo(x) = super; end
p B.new.foo(1)  # => [:missing, :foo, [1]]
