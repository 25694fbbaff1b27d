class P
  private def a = 1
  protected def b = 2
end
def try = yield rescue p($!.message)
try { P.new.a }  # => "private method 'a' called for an instance of P"
try { P.new.b }  # => "protected method 'b' called for an instance of P"
try { nil.puts }  # => "private method 'puts' called for nil"
p P.new.send(:a), P.new.respond_to?(:b), P.new.respond_to?(:a, true)  # => 1
# => false
# => true
