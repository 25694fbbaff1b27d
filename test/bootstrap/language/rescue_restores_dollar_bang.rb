p $!  # => nil
begin
  raise "a"
rescue
  p $!.message  # => "a"
  begin
    raise "b"
  rescue
    p $!.message  # => "b"
  end
  p $!.message  # => "a"
end
p $!  # => nil
