class Broken < StandardError
  def backtrace = raise("no backtrace")
end
begin
  raise Broken, "m"
rescue Broken => e
  p e.message  # => "m"
end
