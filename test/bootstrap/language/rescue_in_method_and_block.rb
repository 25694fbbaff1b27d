def m
  yield
rescue ZeroDivisionError
  :zero
else
  :fine
ensure
  print "e "
# => e :zero
# => e :fine
end
p m { 1 / 0 }
p m { 1 }
p [1].map { |x| raise "a" rescue :inline }  # => [:inline]
r = [0].map do |x|
  1 / x
rescue ZeroDivisionError => e
  e.message
ensure
  print "b "  # => b ["divided by 0"]
end
p r
