# 10 million round trips between the main program and one fiber.
pong = Fiber.new do
  loop { Fiber.yield }
end

count = 0
while count < 10_000_000
  count += 1
  pong.resume
end
