a = (0..100).to_a
r = a.bsearch { |x| a.clear; true }
p r.nil? || r.is_a?(Integer)  # => true
