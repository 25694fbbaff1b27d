begin
  raise "x"
ensure
  exit 4  # exits 4
end
