class A
  def a(x, y = 1, *z, k:, l: 2, **m, &b) = 1
  def self.s = 2
  protected def pr = 1
end
m = A.new.method(:a)
p [m.arity, m.parameters, m.name, m.owner, m.receiver.class, A.method(:s).unbind.class, A.instance_methods(false).sort, A.singleton_methods, A.method_defined?(:pr), A.public_method_defined?(:pr), A.instance_method(:a).name, A.new.public_methods(false).sort.first(1)]
# => [-3, [[:req, :x], [:opt, :y], [:rest, :z], [:keyreq, :k], [:key, :l], [:keyrest, :m], [:block, :b]], :a, A, A, UnboundMethod, [:a, :pr], [:s], true, false, :a, [:a]]
p [m.source_location.class, m.inspect.sub(/0x\h+/, "").include?("A#a"), :a.to_proc.parameters]  # => [Array, true, [[:req], [:rest]]]
