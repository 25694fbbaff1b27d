def try = yield rescue p($!.class)
class Never
  include Comparable
  def <=>(other) = nil
end
class Text
  include Comparable
  def <=>(other) = "x"
end
try { Never.new < Never.new }  # => ArgumentError
try { Never.new.clamp(1, 2) }  # => ArgumentError
try { Never.new.between?(1, 2) }  # => ArgumentError
p Never.new == Never.new  # => false
try { Text.new < Text.new }  # => ArgumentError
try { [Never.new, Never.new].sort }  # => ArgumentError
try { [Text.new, Text.new].sort }  # => ArgumentError
try { [1, 2].sort { nil } }  # => ArgumentError
try { [1, 2].sort { "a" } }  # => ArgumentError
try { [1, 2].max_by { |x| x == 1 ? nil : 1 } }  # => ArgumentError
try { [1, 2, 3].sort_by { |x| x == 2 ? nil : x } }  # => ArgumentError
try { 1.clamp(2, 1) }  # => ArgumentError
p [3, 1, 2].sort { |a, b| 2.5 * (a <=> b) }, [2, 1].sort { |a, b| (a <=> b) * 2**70 }  # => [1, 2, 3]
# => [1, 2]
