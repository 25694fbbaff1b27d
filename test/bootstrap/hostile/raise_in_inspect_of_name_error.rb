class Odd
  def inspect = raise("in inspect")
end
o = Odd.new
begin
  o.nothing
rescue NoMethodError => e
  p e.message  # => "undefined method 'nothing' for an instance of Odd"
end
begin
  o.instance_eval { nothing_either }
rescue NameError => e
  p e.name  # => :nothing_either
end
