a = []
o = Object.new
o.define_singleton_method(:to_str) { a.clear; "x" }
a.replace([o, o])
begin
  a.pack("AA")
rescue ArgumentError, TypeError
end
p :ok  # => :ok
