def sq(x) = x * x
def yes? = true
def msg = "a" "b"
p sq(3), yes?, msg
# => 9
# => true
# => "ab"
def self.single = :s
p single  # => :s
