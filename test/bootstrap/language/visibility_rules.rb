class A
  def pub = [priv, self.priv, prot]
  def other(o) = o.prot
  private
  def priv = 1
  protected
  def prot = 2
  public
  def back = 3
end
p A.new.pub, A.new.other(A.new), A.new.back
# => [1, 1, 2]
# => 2
# => 3
def try = yield rescue puts($!.message)
try { A.new.priv }  # => private method 'priv' called for an instance of A
try { A.new.prot }  # => protected method 'prot' called for an instance of A
class A; private :back; public :priv; end
try { A.new.back }  # => private method 'back' called for an instance of A
p A.new.priv  # => 1
class B
  private def a = 1
  private attr_reader :z
  private_class_method def self.hidden = 1
  def b=(x); end
  private :b=
  def set = self.b = 3
end
try { B.hidden }  # => private method 'hidden' called for class B
p B.new.set, B.private_instance_methods(false).sort
# => 3
# => [:a, :b=, :z]
module Fn
  module_function
  def helper = :h
end
p Fn.helper  # => :h
