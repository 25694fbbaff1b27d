x = 5
r = case
    when x < 3 then :low
    when x < 6
      :mid
    else :high
    end
p r  # => :mid
p (case x when 1, 2 then :a when 3..7 then :b end)  # => :b
p (case "str" when /s(t)r/ then $1 end)  # => "t"
case x
in Integer | Float if x > 3 then p :big  # => :big
in _ then p :other
end
r = case [1, [2]]
    in [a, [b]] then a + b
    end
p r  # => 3
