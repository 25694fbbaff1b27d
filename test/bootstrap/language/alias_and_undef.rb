class A
  def a = 1
  alias b a
  alias_method :c, :a
  def a = 2
end
p [A.new.a, A.new.b, A.new.c]  # => [2, 1, 1]
class A; undef b; end
begin
  A.new.b
rescue NoMethodError => e
  p e.message  # => "undefined method 'b' for an instance of A"
end
class B < A; undef_method :c; end
p B.method_defined?(:c), A.method_defined?(:c)
# => false
# => true
$old = 1
alias $new $old
$new = 5
p $old  # => 5
