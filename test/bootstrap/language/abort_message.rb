abort "gone wrong"
# exits 1
# stderr: gone wrong
