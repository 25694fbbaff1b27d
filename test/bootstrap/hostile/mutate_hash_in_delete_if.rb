h = (0...50).to_h { |i| [i, i] }
h.delete_if { |k, v| h.clear; true }
p h.size  # => 0
