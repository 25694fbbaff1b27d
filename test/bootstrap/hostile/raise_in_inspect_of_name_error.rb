o = Object.new
def o.inspect = raise("in inspect")
begin
  o.nothing
rescue NoMethodError => e
  p e.message  # => "undefined method 'nothing' for an instance of Object"
end
begin
  o.instance_eval { nothing_either }
rescue NameError => e
  p e.name  # => :nothing_either
end
