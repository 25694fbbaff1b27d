def m
  raise "lost"
ensure
  return :kept
end
p m  # => :kept
r = [1, 2].each do |x|
  begin
    raise "lost"
  ensure
    break x
  end
end
p r  # => 1
