p [1, (while true; break 2; end), 3]  # => [1, 2, 3]
p "#{while true; break "s"; end}"  # => "s"
