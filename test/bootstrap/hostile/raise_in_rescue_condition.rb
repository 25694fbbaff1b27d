begin
  begin
    raise "x"
  rescue *[5]
  end
rescue TypeError => e
  p e.message  # => "class or module required for rescue clause"
end
m = Module.new { def self.===(e) = raise("in ===") }
begin
  begin
    raise "x"
  rescue m
  end
rescue => e
  p e.message  # => "in ==="
end
