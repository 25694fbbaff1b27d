raise ""
# exits 1
# stderr: unhandled exception
