tries = 0
p [1, 2].map { |x| tries += 1; redo if tries == 1; x }  # => [1, 2]
p tries  # => 3
i = 0
while i < 2
  i += 1
  tries += 1
  redo if tries == 4
end
p [i, tries]  # => [2, 5]
