class A
  @@n = 0
  def self.inc = @@n += 1
end
class B < A
  def n = @@n
end
A.inc
B.inc
p B.new.n, A.class_variables, B.class_variable_get(:@@n), A.class_variable_defined?(:@@z)
# => 2
# => [:@@n]
# => 2
# => false
begin
  class A; def z = @@z; end
  A.new.z
rescue NameError => e
  p e.message  # => "uninitialized class variable @@z in A"
end
