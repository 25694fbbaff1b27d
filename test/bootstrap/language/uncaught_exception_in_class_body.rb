class A
  nope
end
# raises NameError: undefined local variable or method 'nope' for class A
