begin
  require "no/such/file"
rescue LoadError => e
  p e.message, e.path  # => "cannot load such file -- no/such/file"
  # => "no/such/file"
end
begin
  load "no_such.rb"
rescue LoadError => e
  p e.message  # => "cannot load such file -- no_such.rb"
end
begin
  require nil
rescue TypeError => e
  p e.message  # => "no implicit conversion of nil into String"
end
