class A
  K = :a
  def run = yield
  def ev(s) = instance_eval(s)
end
K = :top
p A.new.run { K }  # => :top
p A.class_eval { K }  # => :top
p A.class_eval("K")  # => :a
p A.new.ev("self.class::K")  # => :a
