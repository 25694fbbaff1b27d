a = (0..20).to_a
a.delete_if { |x| a.clear; true }
p a.size <= 21  # => true
