module Shout
  refine String do
    def shout = upcase + "!"
    def length = 42
  end
end
begin
  "a".shout
rescue NoMethodError => e
  p e.message  # => "undefined method 'shout' for an instance of String"
end
using Shout
p ["a".shout, "abc".length, ["a"].map(&:shout)]  # => ["A!", 42, ["A!"]]
