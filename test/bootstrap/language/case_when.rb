def kind(x)
  case x
  when Integer, Float then :number
  when "a".."f" then :letter
  when /z+/ then :zs
  when nil then :nothing
  when ->(v) { v == :sym } then :lambda
  when *[[1], [2]] then :splat
  else :other
  end
end
p [1, 2.5, "b", "zz", nil, :sym, [2], {}].map { |x| kind(x) }  # => [:number, :number, :letter, :zs, :nothing, :lambda, :splat, :other]
p (case when 1 > 2 then :a when true then :b end)  # => :b
p (case 5 when 6 then 1 end)  # => nil
