begin
  raise NoMemoryError
rescue NoMemoryError => e
  p e.message  # => "NoMemoryError"
end
begin
  exit(3)
rescue SystemExit => e
  p e.status, e.success?, e.message  # => 3
  # => false
  # => "exit"
end
begin
  abort
rescue SystemExit => e
  p e.status  # => 1
end
