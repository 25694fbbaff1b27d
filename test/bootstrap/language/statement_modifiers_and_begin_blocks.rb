x = begin
  1
  2
end
p x  # => 2
p((1; 2))  # => 2
y = if false then 1 end
p y  # => nil
z = while false do end
p z  # => nil
p [(1 if true), (2 if nil), (3 unless nil)]  # => [1, nil, 3]
i = 10
i -= 1 until i < 5
p i  # => 4
