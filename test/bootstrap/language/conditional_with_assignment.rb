if (m = "abc".match(/b/))
  p m[0]  # => "b"
end
p((y = 5) ? y : 0)  # => 5
x = 5 unless defined?(x)
p x  # => nil
