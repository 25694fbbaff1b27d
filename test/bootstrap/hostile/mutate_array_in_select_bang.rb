a = (0..20).to_a
a.select! { |x| a.shift; x.even? }
p a.is_a?(Array)  # => true
