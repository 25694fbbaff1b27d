class Ghost
  def method_missing(name, *args, **kw, &blk)
    return super if name == :nope
    [name, args, kw, blk&.call]
  end
  def respond_to_missing?(name, priv = false) = name != :nope
end
g = Ghost.new
p g.foo(1, a: 2) { 3 }  # => [:foo, [1], {a: 2}, 3]
p (g.bar = 5)  # => 5
p g[1, 2]  # => [:[], [1, 2], {}, nil]
p g.respond_to?(:x), g.respond_to?(:nope)
# => true
# => false
p g.method(:zip).call(1)  # => [:zip, [1], {}, nil]
begin
  g.nope
rescue NoMethodError => e
  p e.message  # => "undefined method 'nope' for an instance of Ghost"
end
p (g + 1)  # => [:+, [1], {}, nil]
