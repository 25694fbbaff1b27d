CONST = %w[a b].freeze
p [CONST.frozen?, CONST[0].frozen?, :a.frozen?, 1.frozen?, nil.frozen?, (1..2).frozen?]  # => [true, false, true, true, true, true]
a = [1].freeze
b = a.dup << 2
p b  # => [1, 2]
begin
  a << 1
rescue => e
  p [e.class, e.message]  # => [FrozenError, "can't modify frozen Array: [1]"]
end
o = Object.new
def o.x = 1
p o.clone.x  # => 1
p (o.dup.x rescue :no)  # => :no
