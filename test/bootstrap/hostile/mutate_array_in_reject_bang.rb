a = (0..20).to_a
begin
  a.reject! { |x| a << x if a.size < 100; x.odd? }
rescue => e
end
p a.is_a?(Array)  # => true
