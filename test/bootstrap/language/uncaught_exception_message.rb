def a = raise(ArgumentError, "bad thing")
def b = a
b
# raises ArgumentError: bad thing
