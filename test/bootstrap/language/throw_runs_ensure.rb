log = []
catch(:x) do
  begin
    throw :x
  ensure
    log << :ensured
  end
end
p log  # => [:ensured]
