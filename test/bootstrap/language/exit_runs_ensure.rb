begin
  exit 2
ensure
  puts "cleanup"  # => cleanup
end
# exits 2
