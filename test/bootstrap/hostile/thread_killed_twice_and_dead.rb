t = Thread.new { }
t.join
p t.kill.equal?(t), t.join.equal?(t), t.value, t.raise("x")  # => true
# => true
# => nil
# => nil
begin
  t.wakeup
rescue ThreadError => e
  p e.message  # => "killed thread"
end
