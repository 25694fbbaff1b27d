p((while true; break 3; end))  # => 3
p((while false; end))  # => nil
i = 0
p((i += 1 while i < 3))  # => nil
p((begin; i += 1; end until i > 5))  # => nil
p i  # => 6
