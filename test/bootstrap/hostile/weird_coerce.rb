def try = yield rescue p($!.class, $!.message)
def with(result) = Object.new.tap { |o| o.define_singleton_method(:coerce) { |x| result } }
try { 1 + with(nil) }  # => TypeError
# => "coerce must return [x, y]"
try { 1 + with([1]) }  # => TypeError
# => "coerce must return [x, y]"
try { 1 < with([nil, nil]) }  # => NoMethodError
# => "undefined method '<' for nil"
try { 1.5 * with(5) }  # => TypeError
# => "coerce must return [x, y]"
p 1 == with(nil), (1 <=> with(nil))  # => false
# => nil
try { 1 & with([2, 3]) ; p(1 & with([6, 3])) }  # => 2
