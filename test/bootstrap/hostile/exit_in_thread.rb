t = Thread.new { exit 5 }
t.join
sleep 1
# exits 5
