Fiber.new { exit 9 }.resume
# exits 9
