A1 = 5
begin
  eval("class A1; end")
rescue TypeError => e
  p e.message.lines[0].chomp  # => "A1 is not a class"
end
begin
  eval("module String; end")
rescue TypeError => e
  p e.message.lines[0].chomp  # => "String is not a module"
end
begin
  eval("class X1 < 5; end")
rescue TypeError => e
  p e.message  # => "superclass must be an instance of Class (given an instance of Integer)"
end
begin
  eval("x = 5; class x::Y; end")
rescue TypeError => e
  p e.message  # => "5 is not a class/module"
end
