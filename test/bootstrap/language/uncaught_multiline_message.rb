raise "line one\nline two"
# exits 1
# stderr: line one (RuntimeError)
# stderr: line two
