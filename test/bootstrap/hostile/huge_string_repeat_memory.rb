begin
  "a" * 2**50
rescue NoMemoryError, ArgumentError => e
  p :refused  # => :refused
end
