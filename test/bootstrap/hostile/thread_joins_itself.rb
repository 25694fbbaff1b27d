begin
  Thread.current.join
rescue ThreadError => e
  p e.message  # => "Target thread must not be current thread"
end
Thread.new do
  Thread.main.join
rescue ThreadError => e
  p e.message  # => "Target thread must not be main thread"
end.join
