a = Thread.new { Thread.stop; b.join }
b = Thread.new { a.join }
begin
  b.join
rescue Exception => e
  p e.class  # => fatal
end
# survives
