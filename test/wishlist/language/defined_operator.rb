a = 1
@b = 1
p [defined?(a), defined?(@b), defined?(@c), defined?(String), defined?(Nope), defined?(puts), defined?(nope), defined?(1 + 1), defined?(yield), defined?(super), defined?(a = 2), defined?(nil), defined?(self), defined?(true), defined?(@@x), defined?($z), defined?(String.new), defined?(String.nope), defined?(Nope::X), defined?([1]), defined?(a && a)]
# => ["local-variable", "instance-variable", nil, "constant", nil, "method", nil, "method", nil, nil, "assignment", "nil", "self", "true", nil, nil, "method", nil, nil, "expression", "expression"]
p a  # => 1
def y = defined?(yield)
p y, y { }
# => nil
# => "yield"
