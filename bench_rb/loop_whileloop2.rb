# The same bare while loop, 6 million times: what the vm2_ programs pay for counting.
count = 0
while count < 6_000_000
  count += 1
end
