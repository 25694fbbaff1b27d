class Broken < StandardError
  def self.exception(*) = raise("in exception")
end
begin
  raise Broken
rescue RuntimeError => e
  p e.message  # => "in exception"
end
