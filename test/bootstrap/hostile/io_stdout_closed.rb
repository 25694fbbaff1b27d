$stdout.close
begin
  puts "x"
rescue IOError => e
  $stderr.puts e.message
end
exit 3  # exits 3
