def f(x)
  case x
  when :a then 1
  when :b then 2
  when "c" then 3
  when 4 then 4
  when 5.0 then 5
  when nil then 6
  when true then 7
  end
end
p [:a, :b, "c", 4, 5, nil, true, :z].map { |x| f(x) }  # => [1, 2, 3, 4, 5, 6, 7, nil]
