begin
  Thread.new { sleep }.join(-1)
  p :returned  # => :returned
rescue ArgumentError
  p :returned
end
begin
  Thread.new { }.join("x")
rescue TypeError => e
  p e.class  # => TypeError
end
p Thread.new { sleep }.join(0)  # => nil
