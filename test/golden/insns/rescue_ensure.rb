def m(x)
  Integer(x)
rescue ArgumentError => e
  e.message
ensure
  puts "done"
end
