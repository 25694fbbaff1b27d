begin
  Thread.current.join
rescue ThreadError => e
  p e.message  # => "Current thread must not be joined"
end
Thread.new do
  Thread.main.join
rescue ThreadError => e
  p e.message  # => "Target thread must not be main thread"
end.join
