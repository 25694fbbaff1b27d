begin
  exit true
rescue SystemExit => e
  p e.status  # => 0
end
exit false
# exits 1
