r = catch(:a) do
  catch(:b) do
    begin
      throw :a, 1
    ensure
      throw :b, 2
    end
  end
  3
end
p r  # => 3
