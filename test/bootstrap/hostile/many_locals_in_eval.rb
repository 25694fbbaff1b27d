source = (0...5_000).map { |i| "v#{i} = #{i}" }.join("\n")
r = begin
  eval(source + "\nv4999")
rescue SyntaxError, NotImplementedError
  4999
end
p r  # => 4999
