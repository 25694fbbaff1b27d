main = Thread.current
t = Thread.new { Thread.stop }
t.join
# exits 1
# stderr: No live threads left. Deadlock? (fatal)
