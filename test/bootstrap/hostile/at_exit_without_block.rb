begin
  at_exit
rescue ArgumentError => e
  p e.message  # => "called without block"
end
