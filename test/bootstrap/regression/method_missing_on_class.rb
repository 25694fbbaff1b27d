class A
  def self.method_missing(n, *a) = [n, a]
  def self.respond_to_missing?(*) = true
end
p A.anything(1), A.respond_to?(:x)
# => [:anything, [1]]
# => true
