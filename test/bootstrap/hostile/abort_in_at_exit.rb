at_exit { abort "bye" }
# exits 1
# stderr: bye
