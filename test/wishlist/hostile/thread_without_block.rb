begin
  Thread.new
rescue ThreadError => e
  p e.message  # => "must be called with a block"
end
c = Class.new(Thread) { def initialize = nil }
begin
  c.new { }
rescue ThreadError => e
  p e.message.start_with?("uninitialized thread")  # => true
end
