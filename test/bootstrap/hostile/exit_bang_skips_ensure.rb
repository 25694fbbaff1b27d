at_exit { p :never }
begin
  exit! 3  # exits 3
ensure
  p :never
end
