# A bare while loop: compare, add, jump, 30 million times.
count = 0
while count < 30_000_000
  count += 1
end
