begin
  raise "first"
rescue
  raise TypeError, "second"
end
# raises TypeError: second
# stderr: first (RuntimeError)
