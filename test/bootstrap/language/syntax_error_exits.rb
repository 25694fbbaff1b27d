x = (1 +
# exits 1
# stderr: SyntaxError
