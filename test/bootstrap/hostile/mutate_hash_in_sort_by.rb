h = (0...50).to_h { |i| [i, -i] }
p h.sort_by { |k, v| h.clear; v }.is_a?(Array)  # => true
