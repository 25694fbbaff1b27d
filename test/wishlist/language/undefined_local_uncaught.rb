nothing_here
# raises NameError: undefined local variable or method 'nothing_here' for main
