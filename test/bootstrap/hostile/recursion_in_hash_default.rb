deep = Hash.new { |hash, key| hash[key + 1] }
begin
  deep[0]
rescue SystemStackError => e
  p e.class  # => SystemStackError
end
