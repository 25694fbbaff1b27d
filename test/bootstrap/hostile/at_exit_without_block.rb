begin
  at_exit
rescue ArgumentError => e
  p e.message  # => "called without a block"
end
