class A; def self.make(x) = [:A, x]; end
class B < A; def self.make(x) = [:B, *super]; end
p B.make(1)  # => [:B, :A, 1]
class A; def initialize(x) = @x = x; end
class B; def initialize = super(5); end
p B.new.instance_variable_get(:@x)  # => 5
