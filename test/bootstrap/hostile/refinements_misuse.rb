begin
  def late = eval("using Module.new")
  late
rescue RuntimeError, NoMethodError => e
  p e.is_a?(StandardError)  # => true
end
begin
  Module.new { refine(5) { } }
rescue TypeError => e
  p e.message  # => "wrong argument type Integer (expected Class or Module)"
end
begin
  Module.new { refine(String) }
rescue ArgumentError => e
  p e.message  # => "no block given"
end
