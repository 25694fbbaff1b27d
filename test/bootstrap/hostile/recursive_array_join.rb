a = [1]
a << a
begin
  a.join(",")
rescue ArgumentError => e
  p e.message  # => "recursive array join"
end
