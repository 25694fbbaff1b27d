Thread.new { exit 4 }
sleep 5
# exits 4
