def try = yield rescue p($!.class, $!.message)
e = [1].each
e.next
try { e.next }  # => StopIteration
# => "iteration reached an end"
try { e.peek }  # => StopIteration
# => "iteration reached an end"
try { Enumerator.new }  # => ArgumentError
# => "no block given"
try { 5.to_enum(:nope).next }  # => NoMethodError
# => "undefined method 'nope' for an instance of Integer"
try { loop { raise StopIteration, "done" }; p :after }  # => :after
g = Enumerator.new { |y| g.next }
try { g.next }
e = [1, 2].each
e.next
p e.dup rescue p $!.class
# survives
