o = Object.new
def o.to_s = raise("in to_s")
e = StandardError.new(o)
begin
  e.message
rescue => x
  p x.message  # => "in to_s"
end
